// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// The requests that the origin has seen and the scripts it was given, shared between its users and its loop.
final class RequestLog: Sendable {
  typealias Handler = @Sendable (RecordedRequest) -> ScriptedReply

  private struct State {
    var requests: [RecordedRequest] = []
    /// The number of older requests dropped: the number of `requests[0]`.
    var dropped = 0
    var keptBytes = 0
    var connections = 0
    var openConnections = 0
    var hangingConnections = 0
    var reception = Origin.Reception.serve
    var scripts: [String: [ScriptedReply]] = [:]
    var handlers: [String: Handler] = [:]
    /// For the paths that begin like this: each ends with a slash.
    var folderHandlers: [String: Handler] = [:]
  }

  /// More requests, or more bytes of bodies, push the oldest out: a benchmark must not fill the memory.
  static let requestLimit = 10_000
  static let byteLimit = 64 * 1_024 * 1_024

  private let state = Locked(State())

  // MARK: Seen

  var requests: [RecordedRequest] { state.withLock { $0.requests } }
  var connections: Int { state.withLock { $0.connections } }
  var openConnections: Int { state.withLock { $0.openConnections } }
  var hangingConnections: Int { state.withLock { $0.hangingConnections } }

  /// Counts an accepted connection and gives it its number and its reception. Both at once: a test that sees the connection
  /// counted may change the reception, which is then for the next one.
  func opened() -> (number: Int, reception: Origin.Reception) {
    state.withLock { state in
      state.connections += 1
      state.openConnections += 1
      return (state.connections, state.reception)
    }
  }

  /// An open connection has come to a step after which it does nothing.
  func hangs() { state.withLock { $0.hangingConnections += 1 } }

  func closed(hanging: Bool = false) {
    state.withLock { state in
      state.openConnections -= 1
      if hanging { state.hangingConnections -= 1 }
    }
  }

  /// Records a request on the arrival of its head and gives it its number.
  func record(_ request: RecordedRequest) -> Int {
    state.withLock { state in
      state.requests.append(request)
      if state.requests.count > Self.requestLimit { Self.dropOldest(&state, Self.requestLimit / 10) }
      return state.dropped + state.requests.count - 1
    }
  }

  /// Adds what came of the body of that request.
  func amend(_ number: Int, with request: RecordedRequest) {
    state.withLock { state in
      guard number >= state.dropped, number - state.dropped < state.requests.count else { return }
      state.keptBytes += request.body.count - state.requests[number - state.dropped].body.count
      state.requests[number - state.dropped] = request
      while state.keptBytes > Self.byteLimit, state.requests.count > 1 { Self.dropOldest(&state, 1) }
    }
  }

  func forgetRequests() { state.withLock { Self.dropOldest(&$0, $0.requests.count) } }

  private static func dropOldest(_ state: inout State, _ count: Int) {
    state.keptBytes -= state.requests.prefix(count).reduce(0) { $0 + $1.body.count }
    state.requests.removeFirst(count)
    state.dropped += count
  }

  // MARK: Told

  var reception: Origin.Reception {
    get { state.withLock { $0.reception } }
    set { state.withLock { $0.reception = newValue } }
  }

  func script(_ path: String, _ replies: [ScriptedReply]) {
    state.withLock { $0.scripts[path] = replies.isEmpty ? nil : replies }
  }

  func handle(_ path: String, _ handler: Handler?) {
    // What an earlier one keeps may ask the origin at its end, so it goes when the lock is free.
    var handler = handler
    state.withLock { state in
      if path.hasSuffix("/*") {
        swap(&state.folderHandlers[String(path.dropLast())], &handler)
      } else {
        swap(&state.handlers[path], &handler)
      }
    }
  }

  /// Takes the next script for a request; the last one of a path stays.
  func takeScript(for request: RecordedRequest) -> ScriptedReply? {
    state.withLock { state in
      for key in [request.target, request.path] {
        guard var replies = state.scripts[key], let reply = replies.first else { continue }
        if replies.count > 1 {
          replies.removeFirst()
          state.scripts[key] = replies
        }
        return reply.isEndpoint ? nil : reply
      }
      return nil
    }
  }

  func handler(for request: RecordedRequest) -> Handler? {
    state.withLock { state in
      let path = request.path
      if let exact = state.handlers[request.target] ?? state.handlers[path] { return exact }
      return state.folderHandlers.filter { path.utf8.starts(with: $0.key.utf8) }
        .max { $0.key.utf8.count < $1.key.utf8.count }?.value
    }
  }
}
