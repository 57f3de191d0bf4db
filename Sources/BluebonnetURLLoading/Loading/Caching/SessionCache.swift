// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetSemantics

/// The part of a session's cache that its loads share.
///
// Unchecked: touched only while the loop is held, but for constants.
final class SessionCache: @unchecked Sendable {
  /// A stale response is being asked for anew.
  struct Revalidation {
    let variant: Variant
    /// The task that was answered with the stale response, and stores the new one.
    let task: URLSessionDataTask
    let listener: (any TaskListener)?
  }

  /// The properties that tell stored responses apart.
  struct Variant: Hashable {
    let key: StoredResponse.Key
    let selection: CacheSelection
  }

  let cache: URLCache
  /// The partition of responses without TLS.
  private let partition: CachePartition
  /// The partition of responses over TLS.
  private let securePartition: CachePartition
  /// Whether the cache is of a subclass, with the user's code in its methods.
  let isUsers: Bool
  /// Whether one request under way answers all that ask the same.
  let collapses: Bool
  typealias Collapsed = CollapsedRequests<any CollapsedWaiter>
  var collapsed = Collapsed()
  /// The responses being revalidated, so that no other load does it, too.
  private var revalidated: Set<Variant> = []
  private var revalidations: [ObjectIdentifier: Revalidation] = [:]

  /// Nil for a session without a cache. Bodies in a coding of the connection's (RFC 9112 §6.1) are for none.
  init?(_ settings: URLSessionConfiguration.Settings) {
    guard let cache = settings.urlCache, settings.decodesTransferCodings else { return nil }
    self.cache = cache
    partition = CachePartition(
      decodesContent: settings.decodesResponseContent, substitute: settings.substituteForServers)
    securePartition = CachePartition(
      // Another place is vouched for by its certificate.
      decodesContent: partition.decodesContent, substitute: settings.unixSocketPath,
      trust: CacheTrust.mark(of: settings),
      evaluator: CacheTrust.newEvaluatorMark())
    collapses = settings.collapsesRequests
    isUsers = type(of: cache) != URLCache.self
  }

  /// The partition of a task.
  ///
  /// - Parameter hasOwnDelegate: Then its trust counts, and a response accepted by the session's delegate is not shown to it.
  func partition(isSecure: Bool, hasOwnDelegate: Bool) -> CachePartition {
    guard isSecure else { return partition }
    guard hasOwnDelegate else { return securePartition }
    var own = securePartition
    own.evaluator = nil
    return own
  }

  /// - Returns: false if it is being revalidated already.
  func begins(_ variant: Variant) -> Bool { revalidated.insert(variant).inserted }

  func add(_ revalidation: Revalidation, for task: URLSessionTask) {
    revalidations[ObjectIdentifier(task)] = revalidation
  }

  /// The response that a task revalidates; nil for almost every task.
  func revalidation(by task: URLSessionTask) -> Revalidation? {
    revalidations.isEmpty ? nil : revalidations[ObjectIdentifier(task)]
  }

  /// The load that others wait for under a name has come to its end.
  func complete(_ name: Collapsed.Name) {
    let completed = collapsed.complete(name)
    for waiter in completed.waiters { waiter.lookUpCacheAgain(waitedSince: completed.start) }
  }

  /// A task has ended.
  func ended(_ task: URLSessionTask) {
    guard !revalidations.isEmpty, let ended = revalidations.removeValue(forKey: ObjectIdentifier(task)) else {
      return
    }
    revalidated.remove(ended.variant)
  }
}

extension URLSessionConfiguration.Settings {
  /// The place that is connected to in every server's stead, as text; nil for none.
  fileprivate var substituteForServers: String? {
    if let unixSocketPath { return unixSocketPath }
    guard connectionEndpoint != nil || !connectionAddresses.isEmpty else { return nil }
    let endpoint = connectionEndpoint.map { "\($0.host):\($0.port)" } ?? ""
    return "tcp \(endpoint) \(connectionAddresses.joined(separator: ","))"
  }
}
