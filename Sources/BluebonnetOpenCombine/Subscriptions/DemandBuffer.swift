// SPDX-License-Identifier: MIT

/// One subscriber's demand, and the elements waiting for it, as a value.
///
///     idle ──first demand──▶ open ──last element taken──▶ over
///      │                      │                            ▲
///      └────────cancel────────┴────────────────────────────┘
///
/// One thread at a time hands elements over: the one told to begin goes on until `next` gives nothing more.
struct DemandBuffer<Element> {
  /// The consequence of a demand.
  enum DemandStep: Equatable {
    case none
    /// It was the first: the request begins.
    case start
    /// Elements have been waiting for it. The caller sees to it that they are handed over.
    case handOver
  }

  private enum Phase { case idle, open, over }

  private var phase = Phase.idle
  /// The number of elements that may still be handed over; `Int.max` stands for all of them.
  private var demand = 0
  private var isHandingOver = false
  /// In the order in which they came, behind those that are due.
  private var arrived: [Element] = []
  /// The next one is the last of these, so that taking it moves nothing.
  private var due: [Element] = []
  private var hasLast = false

  /// - Parameter more: How many more are asked for; nil for all. None is no demand.
  mutating func request(_ more: Int?) -> DemandStep {
    guard more != 0, phase != .over else { return .none }
    add(more)
    if phase == .idle {
      phase = .open
      return .start
    }
    return begin() ? .handOver : .none
  }

  /// Something has arrived. Whether the caller hands over.
  mutating func receive(_ element: Element, isLast: Bool) -> Bool {
    guard phase == .open, !hasLast else { return false }
    hasLast = isLast
    arrived.append(element)
    return begin()
  }

  /// The next element to be handed over, and whether it is the last. Nil ends the handing over.
  ///
  /// - Parameter more: How many more were asked for with the element before.
  mutating func next(adding more: Int?) -> (element: Element, isLast: Bool)? {
    add(more)
    guard phase == .open, demand > 0, !isEmpty else {
      isHandingOver = false
      return nil
    }
    if due.isEmpty {
      due = arrived.reversed()
      arrived = []
    }
    if demand < .max { demand -= 1 }
    let element = due.removeLast()
    let isLast = hasLast && isEmpty
    if isLast { phase = .over }
    return (element, isLast)
  }

  /// Nothing more is handed over. What waited goes with the returned value, so that the caller chooses the moment.
  ///
  /// - Returns: The elements there before; nil if it was over already.
  mutating func cancel() -> DemandBuffer? {
    guard phase != .over else { return nil }
    let before = self
    self = DemandBuffer()
    phase = .over
    return before
  }

  private var isEmpty: Bool { arrived.isEmpty && due.isEmpty }

  private mutating func add(_ more: Int?) {
    let (sum, overflow) = demand.addingReportingOverflow(more ?? .max)
    demand = overflow ? .max : sum
  }

  private mutating func begin() -> Bool {
    guard !isHandingOver, demand > 0, !isEmpty else { return false }
    isHandingOver = true
    return true
  }
}

extension DemandBuffer: Sendable where Element: Sendable {}
