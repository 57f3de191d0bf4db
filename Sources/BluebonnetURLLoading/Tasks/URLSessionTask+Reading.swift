// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics

extension URLSessionTask {
  /// The default priority of a task: 0.5.
  public static let defaultPriority: Float = 0.5
  /// A priority below the default: 0.25.
  public static let lowPriority: Float = 0.25
  /// A priority above the default: 0.75.
  public static let highPriority: Float = 0.75

  /// The request that was last sent: after redirects another than the original one.
  public var currentRequest: URLRequest? { members.withLock { $0.currentRequest } }

  /// The response, as soon as its head has arrived.
  public var response: URLResponse? { members.withLock { $0.response } }

  /// The fields behind the body of the response (RFC 9110 §6.5), once it is complete; `nil` if there are none. Values of equal
  /// names are joined by a comma. They are no part of the response's own fields, and nothing here acts on them. An addition of
  /// this package.
  public var responseTrailers: [String: String]? { trailers?.dictionary }

  /// The same in the order in which the names came; empty if there are none. An addition of this package.
  public var responseTrailerFields: [(name: String, value: String)] {
    trailers.map { $0.fields.map { ($0.name, $0.value) } } ?? []
  }

  /// The same as a value of its own.
  package var trailers: HeaderFields? {
    members.withLock { $0.rareState?.trailers }.map { fields in
      var joined = HeaderFields()
      for index in fields.indices {
        joined.add(name: fields.name(at: index), value: fields.value(at: index), separator: ", ")
      }
      return joined
    }
  }

  /// The state of the task.
  public var state: State { members.withLock { $0.state } }

  /// Why the task failed, usually a `URLError`; `nil` while it goes on and if it succeeded.
  public var error: (any Error)? { members.withLock { $0.error } }

  /// A wish about the order of loads, from 0 to 1; 0.5 by default. Works: of the tasks that wait for their turn
  /// (``URLSessionConfiguration/Settings/requestLimit``) or for a connection the one with the highest is served first, and among equals
  /// the first one. It may be changed while the task waits, and means nothing any more when its request is under way.
  public var priority: Float {
    get { members.withLock { $0.priority } }
    set {
      let driver = members.withLock { members in
        members.priority = newValue
        return members.driver
      }
      driver?.priorityChanged()
    }
  }

  /// A name for debugging; `nil` by default. Has no effect.
  public var taskDescription: String? {
    get { members.withLock { $0.rareState?.description } }
    set { members.withLock { $0.ownRareState.description = newValue } }
  }

  /// A delegate for this task alone, asked before the session's; what it does not implement is asked of that one. Works.
  ///
  /// It is called on the session's `delegateQueue`.
  public var delegate: (any URLSessionTaskDelegate)? {
    get { members.withLock { $0.delegate } }
    set {
      // The old one goes when the lock is free: it may ask the task.
      var delegate = newValue
      members.withLock { swap(&$0.delegate, &delegate) }
      hasDelegate.store(true, ordering: .releasing)
    }
  }

  /// The load does not start before this date; nil for at once. Works, in every session: set it before the first
  /// `resume()`.
  public var earliestBeginDate: Date? {
    get { members.withLock { $0.rareState?.earliestBeginDate } }
    set { members.withLock { $0.ownRareState.earliestBeginDate = newValue } }
  }

  /// Whether data is delivered as it arrives; true by default. Works: if false, the body is gathered in memory and
  /// delivered as one. Set it before the first `resume()`.
  public var prefersIncrementalDelivery: Bool {
    get { !isGathered.load(ordering: .acquiring) }
    set { isGathered.store(!newValue, ordering: .releasing) }
  }
}
