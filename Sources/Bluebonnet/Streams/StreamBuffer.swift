// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// The buffer between a request that brings bytes and a thread that reads them, and waits where there are none.
final class StreamBuffer: Sendable {
  private struct State {
    var parts: [(data: Data, receipt: ConsumptionToken)] = []
    /// Read of the first part.
    var position = 0
    /// The attempt that the bytes belong to.
    var attempt: ObjectIdentifier?
    var end: End?
    var reader = Reader.absent
    var waiters: [DispatchSemaphore] = []
  }

  enum End: Sendable {
    case complete
    case failed(any Error)
  }

  /// The reader waits on its thread; other threads may close meanwhile.
  enum Reader { case absent, open, gone }

  private let state = Locked(State())

  /// A part of the body. Kept until it is read; its receipt is given then.
  func append(_ data: Data, _ receipt: ConsumptionToken, of attempt: ObjectIdentifier) {
    wake { state in
      // A retry begins anew; bytes that have been read cannot.
      if let earlier = state.attempt, earlier != attempt, state.end == nil {
        state.end = .failed(RestartedStream())
      }
      state.attempt = attempt
      // Else the receipt is given when it is let go of.
      if state.end == nil, state.reader != .gone, !data.isEmpty { state.parts.append((data, receipt)) }
    }
  }

  /// The end. Earlier bytes can still be read.
  func finish(_ end: End) {
    wake { if $0.end == nil { $0.end = end } }
  }

  /// Whether there is a reader, was one, or will be.
  var reader: Reader { state.withLock { $0.reader } }

  /// The reader begins, unless it has gone.
  func open() {
    state.withLock { if $0.reader == .absent { $0.reader = .open } }
  }

  /// There is no reader any more.
  ///
  /// - Returns: Whether there might have been something to read.
  func close() -> Bool {
    var parts: [(data: Data, receipt: ConsumptionToken)] = []
    var isEarly = false
    wake { state in
      isEarly = state.reader != .gone && state.end == nil
      state.reader = .gone
      swap(&parts, &state.parts)
    }
    // Their receipts are given outside the lock.
    parts = []
    return isEarly
  }

  /// Reads what there is, or waits for something.
  ///
  /// - Returns: The number of bytes: 0 at the end; nil after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      var spent: ConsumptionToken?
      var semaphore: DispatchSemaphore?
      let count = state.withLock { state -> Int?? in
        if let first = state.parts.first {
          let count = min(first.data.count - state.position, buffer.count)
          let start = first.data.startIndex + state.position
          first.data.copyBytes(to: buffer, from: start..<(start + count))
          state.position += count
          if state.position == first.data.count {
            spent = first.receipt
            state.parts.removeFirst()
            state.position = 0
          }
          return count
        }
        switch state.end {
        case .complete?: return 0
        case .failed?: return .some(nil)
        case nil:
          if state.reader == .gone { return .some(nil) }
          let made = DispatchSemaphore(value: 0)
          state.waiters.append(made)
          semaphore = made
          return .none
        }
      }
      spent?.give()
      if let count { return count }
      semaphore?.wait()
    }
  }

  var hasBytes: Bool { state.withLock { !$0.parts.isEmpty || $0.end == nil && $0.reader != .gone } }

  /// The end, once everything before it has been read.
  var end: End? { state.withLock { $0.parts.isEmpty ? $0.end : nil } }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state -> [DispatchSemaphore] in
      change(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.signal() }
  }
}

/// A request was tried again after some of its body had been handed out as a stream, which cannot begin anew.
public struct RestartedStream: Error, Sendable, CustomStringConvertible {
  /// Why, in words.
  public var description: String {
    "the request was tried again after some of its body had been read from the stream"
  }
}
