// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

/// The activity of a session at one moment; see ``Session/statistics``. An addition of this package.
public struct SessionStatistics: Sendable, Hashable {
  /// The connections that are open, in use or idle, to origins and proxies. WebSockets count, too; those being made do not.
  public let openConnections: Int
  /// The open connections that no request uses at the moment.
  public let idleConnections: Int
  /// The requests that wait for a connection, because there are as many as the configuration allows, or for their turn, under
  /// `requestLimit` and `requestLimitPerHost`. Tasks that were made with ``Session/session`` count, too.
  public let waitingRequests: Int
  /// The requests under way: resumed, or set up eagerly, and not over. Suspended and waiting ones count, too, and those in a pause
  /// before a retry. The same that ``Session/withAllRequests(perform:)`` shows.
  public let requestsUnderWay: Int
}

extension Session {
  /// The numbers of the session's connections and requests at this moment. An addition of this package.
  ///
  /// They are counted when they are asked for, on the event loop that owns the connections, so a session that is not asked keeps no
  /// books for this. It is asynchronous because that loop may be busy: no thread is blocked meanwhile, and it can be awaited
  /// anywhere, by a task that a handler has started, too. The connections are counted at one moment, the requests at another.
  ///
  /// Responses from the cache are not among them: a request's ``Request/metrics`` tell where its response came from.
  public var statistics: SessionStatistics {
    get async {
      let counts = await withCheckedContinuation { done in
        session.countConnections { done.resume(returning: $0) }
      }
      return SessionStatistics(
        openConnections: counts.open, idleConnections: counts.idle, waitingRequests: counts.waiting,
        requestsUnderWay: context.active.withLock { $0.count })
    }
  }
}
