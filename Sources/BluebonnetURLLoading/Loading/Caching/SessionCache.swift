import BluebonnetFoundation
import BluebonnetSemantics

/// What the loads of one session share of its cache.
///
// Unchecked: touched only while the loop is held, but for constants.
final class SessionCache: @unchecked Sendable {
  /// A stale response is being asked for anew.
  struct Revalidation {
    let variant: Variant
    /// What was answered with the stale one, and who is asked for it what is kept.
    let task: URLSessionDataTask
    let listener: (any TaskListener)?
  }

  /// What tells kept responses apart.
  struct Variant: Hashable {
    let key: StoredResponse.Key
    let selection: CacheSelection
  }

  let cache: URLCache
  /// How the session loads what comes without TLS: what is kept depends on it.
  private let way: CacheWay
  /// How it loads what comes over TLS.
  private let secureWay: CacheWay
  /// The cache is of a subclass, whose methods are the user's code.
  let isUsers: Bool
  /// Whether one request under way answers all that ask the same.
  let collapses: Bool
  var flights = Flights<TaskLoad>()
  /// What is asked for anew at the moment, so that nobody else does.
  private var revalidated: Set<Variant> = []
  private var revalidations: [ObjectIdentifier: Revalidation] = [:]

  /// Nil for a session without a cache.
  init?(_ settings: URLSessionConfiguration.Values) {
    guard let cache = settings.urlCache else { return nil }
    self.cache = cache
    way = CacheWay(decodesContent: settings.decodesResponseContent, socketPath: settings.unixSocketPath)
    secureWay = CacheWay(
      decodesContent: way.decodesContent, socketPath: way.socketPath, trust: CacheTrust.mark(of: settings),
      evaluator: CacheTrust.newEvaluatorMark())
    collapses = settings.collapsesRequests
    isUsers = type(of: cache) != URLCache.self
  }

  /// How a task loads.
  ///
  /// - Parameter hasOwnDelegate: It is that one's word that counts, and what the session's delegate has let in is not shown to it.
  func way(isSecure: Bool, hasOwnDelegate: Bool) -> CacheWay {
    guard isSecure else { return way }
    guard hasOwnDelegate else { return secureWay }
    var own = secureWay
    own.evaluator = nil
    return own
  }

  /// - Returns: false if somebody asks for it anew already.
  func begins(_ variant: Variant) -> Bool { revalidated.insert(variant).inserted }

  func add(_ revalidation: Revalidation, for task: URLSessionTask) {
    revalidations[ObjectIdentifier(task)] = revalidation
  }

  /// What a task asks for anew; nil for almost every task.
  func revalidation(by task: URLSessionTask) -> Revalidation? {
    revalidations.isEmpty ? nil : revalidations[ObjectIdentifier(task)]
  }

  /// A task has ended.
  func ended(_ task: URLSessionTask) {
    guard !revalidations.isEmpty, let ended = revalidations.removeValue(forKey: ObjectIdentifier(task)) else {
      return
    }
    revalidated.remove(ended.variant)
  }
}
