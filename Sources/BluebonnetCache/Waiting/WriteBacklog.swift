// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// The amount of data that waits to be written to a store, and its limits. Storing is optional (RFC 9111 §3): a response beyond the limits is
/// not stored, so a store that is slower than the network costs a bounded amount of memory and of descriptors.
///
/// A value.
struct WriteBacklog: Sendable {
  /// Responses and new heads that may wait for their turn.
  static let countLimit = 256
  /// Bytes of their heads and bodies. A larger response may wait alone.
  static let byteLimit = 8 * 1024 * 1024
  /// Bytes of bodies that are too large for the cache's memory and are still coming.
  static let collectedLimit = 8 * 1024 * 1024
  /// Bytes of each of them. A larger body is written while it comes.
  static let collectedLimitOfEach = 256 * 1024
  /// Bodies that are written while they come: each has a file open.
  static let streamLimit = 8
  /// Removals of responses that were replaced without a successor in the store.
  static let displacementLimit = 4096

  private(set) var count = 0
  private(set) var bytes = 0
  private(set) var collected = 0
  private(set) var streams = 0

  /// Adds a response or a new head.
  ///
  /// - Parameter isAwaited: The caller waits for it, and brings no other before: it is never refused.
  /// - Returns: Whether it may.
  mutating func wait(_ bytes: Int, isAwaited: Bool) -> Bool {
    let fits = count < Self.countLimit && (count == 0 || self.bytes + bytes <= Self.byteLimit)
    guard fits || isAwaited else { return false }
    count += 1
    self.bytes += bytes
    return true
  }

  /// Adds bytes of a body that is still coming.
  ///
  /// - Parameter known: Bytes of it that are in memory already.
  /// - Returns: Whether it may.
  mutating func collect(_ bytes: Int, known: Int) -> Bool {
    guard known + bytes <= Self.collectedLimitOfEach, collected + bytes <= Self.collectedLimit else {
      return false
    }
    collected += bytes
    return true
  }

  /// Adds a body that is written while it comes.
  ///
  /// - Returns: Whether it may.
  mutating func stream() -> Bool {
    guard streams < Self.streamLimit else { return false }
    streams += 1
    return true
  }

  fileprivate mutating func end(_ kind: WriteShare.Kind, _ bytes: Int) {
    switch kind {
    case .waiting:
      count -= 1
      self.bytes -= bytes
    case .collected: collected -= bytes
    case .streamed: streams -= 1
    }
  }
}

/// The backlog of one store.
final class WriteBudget: Sendable {
  fileprivate let members = Locked(WriteBacklog())

  var backlog: WriteBacklog { members.withLock { $0 } }

  /// A share for a response or a new head; nil if it may not wait.
  func wait(_ bytes: Int, isAwaited: Bool) -> WriteShare? {
    members.withLock { $0.wait(bytes, isAwaited: isAwaited) } ? WriteShare(.waiting, bytes, of: self) : nil
  }

  /// A share for a body that is still coming.
  func collect() -> WriteShare { WriteShare(.collected, 0, of: self) }

  /// A share for a body that is written while it comes; nil if too many are.
  func stream() -> WriteShare? {
    members.withLock { $0.stream() } ? WriteShare(.streamed, 0, of: self) : nil
  }
}

/// A share of a backlog, given back at the latest when it is released.
final class WriteShare: Sendable {
  enum Kind { case waiting, collected, streamed }

  private let kind: Kind
  /// Bytes; nil when they have been given back.
  private let bytes: Locked<Int?>
  private let budget: WriteBudget

  fileprivate init(_ kind: Kind, _ bytes: Int, of budget: WriteBudget) {
    self.kind = kind
    self.bytes = Locked(bytes)
    self.budget = budget
  }

  deinit { giveBack() }

  func giveBack() {
    guard let bytes = bytes.withLock({ $0.take() }) else { return }
    budget.members.withLock { $0.end(kind, bytes) }
  }

  /// Adds bytes of the body that have come.
  ///
  /// - Returns: Whether there is room for it.
  func collect(_ count: Int) -> Bool {
    bytes.withLock { bytes in
      guard let known = bytes, budget.members.withLock({ $0.collect(count, known: known) }) else {
        return false
      }
      bytes = known + count
      return true
    }
  }
}
