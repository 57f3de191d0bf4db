// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// A source of the news that there is a network again.
protocol ConnectivityMonitor: AnyObject, Sendable {
  /// Calls `onPath` with the status as it is, and then with each change.
  func start(onPath: @escaping @Sendable (NWPath.Status) -> Void)
  func cancel()
}

extension NWPathMonitor: ConnectivityMonitor {
  func start(onPath: @escaping @Sendable (NWPath.Status) -> Void) {
    pathUpdateHandler = { onPath($0.status) }
    start(queue: DispatchQueue(label: "bluebonnet.offlineRetrier"))
  }
}

/// Tries again requests that failed for want of a network, once there is one.
///
/// A request that has failed so waits, for ``defaultWait`` unless you say otherwise; all that wait are let go together as
/// soon as a route leads to the internet. When the time is over, the request fails with the error it has. Wherever a
/// ``RetryPolicy`` is used, too, put this one before it.
///
/// If there was a network all along, a request is tried again once; after that it waits for the network to change.
public final class OfflineRetrier: RequestInterceptor {
  /// The time that a request waits for a network by default: 5 seconds.
  public static let defaultWait: DispatchTimeInterval = .seconds(5)

  /// The codes of `URLError` that say that there is no network.
  public static let defaultURLErrorOfflineCodes: Set<URLError.Code> = [.notConnectedToInternet]

  /// Whether an error says that there is no network: if it, or what an ``AFError`` holds, is a `URLError` with one of
  /// ``defaultURLErrorOfflineCodes``.
  public static let defaultIsOfflineError: @Sendable (_ error: any Error) -> Bool = { error in
    let cause = error as? URLError ?? error.asAFError?.underlyingError as? URLError
    return cause.map { defaultURLErrorOfflineCodes.contains($0.code) } ?? false
  }

  private struct Waiter {
    let request: ObjectIdentifier
    /// The number of attempts before the one that has failed.
    let attempt: Int
    /// A network was there all along, when this request had failed before: only another one helps.
    let needsChange: Bool
    let completion: @Sendable (RetryResult) -> Void
  }

  private struct Past {
    /// It was let go because a network was there all along.
    var hasTriedAnyway = false
    /// The attempt after which it waited in vain. Its serializers fail for the same reason: none to wait
    /// again.
    var lostAttempt: Int?
  }

  private struct State {
    var monitor: (any ConnectivityMonitor)?
    /// The monitor's last report; nil before the first.
    var status: NWPath.Status?
    /// The waiting requests, by their numbers.
    var waiting: [UInt64: Waiter] = [:]
    var lastNumber: UInt64 = 0
    /// The fate of requests that have waited and are not over.
    var past: [ObjectIdentifier: Past] = [:]

    /// Takes out those that need not wait any more, in the order in which they came.
    ///
    /// - Parameter isChange: Whether the network is another one than when they began to wait.
    mutating func release(isChange: Bool) -> [Waiter] {
      let released = waiting.filter { isChange || !$0.value.needsChange }.sorted { $0.key < $1.key }
      for (number, waiter) in released {
        waiting[number] = nil
        if !isChange { past[waiter.request]?.hasTriedAnyway = true }
      }
      return released.map(\.value)
    }

    mutating func takeMonitorIfIdle() -> (any ConnectivityMonitor)? {
      guard waiting.isEmpty else { return nil }
      status = nil
      return monitor.take()
    }
  }

  private let makeMonitor: @Sendable () -> any ConnectivityMonitor
  private let maximumWait: DispatchTimeInterval
  private let isOfflineError: @Sendable (any Error) -> Bool
  private let timers = DispatchQueue(label: "bluebonnet.offlineRetrier.timers")
  private let state = Locked(State())

  init(
    watching makeMonitor: @escaping @Sendable () -> any ConnectivityMonitor,
    maximumWait: DispatchTimeInterval,
    isOfflineError: @escaping @Sendable (any Error) -> Bool
  ) {
    self.makeMonitor = makeMonitor
    self.maximumWait = maximumWait
    self.isOfflineError = isOfflineError
  }

  /// Makes a retrier.
  ///
  /// - Parameters:
  ///   - monitor:        Makes what watches the network: one each time that the first request begins to wait.
  ///   - maximumWait:    How long a request waits at most; 5 seconds by default.
  ///   - isOfflineError: Whether an error says that there is no network. If not, the next retrier is asked.
  public convenience init(
    monitor: @autoclosure @escaping @Sendable () -> NWPathMonitor = NWPathMonitor(),
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) {
    self.init(watching: { monitor() }, maximumWait: maximumWait, isOfflineError: isOfflineError)
  }

  /// Makes a retrier that waits for a network of one type.
  ///
  /// - Parameters:
  ///   - requiredInterfaceType: The type.
  ///   - maximumWait:           How long a request waits at most; 5 seconds by default.
  ///   - isOfflineError:        Whether an error says that there is no network. If not, the next retrier is asked.
  public convenience init(
    requiredInterfaceType: NWInterface.InterfaceType,
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) {
    self.init(
      monitor: NWPathMonitor(requiredInterfaceType: requiredInterfaceType), maximumWait: maximumWait,
      isOfflineError: isOfflineError)
  }

  /// Makes a retrier that waits for a network of any type but some.
  ///
  /// - Parameters:
  ///   - prohibitedInterfaceTypes: The types that do not count.
  ///   - maximumWait:              How long a request waits at most; 5 seconds by default.
  ///   - isOfflineError:           Whether an error says that there is no network. If not, the next retrier is asked.
  public convenience init(
    prohibitedInterfaceTypes: [NWInterface.InterfaceType],
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) {
    self.init(
      monitor: NWPathMonitor(prohibitedInterfaceTypes: prohibitedInterfaceTypes), maximumWait: maximumWait,
      isOfflineError: isOfflineError)
  }

  deinit { state.withLock { $0.monitor.take() }?.cancel() }

  /// Completes with ``RetryResult/retry`` once there is a network, and with ``RetryResult/doNotRetry`` if there is none in
  /// time or the error says something else.
  @preconcurrency
  public func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    guard isOfflineError(error) else { return completion(.doNotRetry) }
    let (identity, attempt) = (ObjectIdentifier(request), request.retryCount)
    let (isKnown, isLost) = state.withLock { state in
      let past = state.past[identity]
      if past == nil { state.past[identity] = Past() }
      return (past != nil, past?.lostAttempt == attempt)
    }
    if isLost { return completion(.doNotRetry) }
    if !isKnown { request.onFinish { [weak self] in self?.forget(identity) } }
    let (number, isFirst, isSatisfied) = state.withLock { state in
      state.lastNumber += 1
      state.waiting[state.lastNumber] = Waiter(
        request: identity, attempt: attempt, needsChange: state.past[identity]?.hasTriedAnyway ?? false,
        completion: completion)
      return (state.lastNumber, state.monitor == nil, state.status == .satisfied)
    }
    if isFirst {
      watch()
    } else if isSatisfied {
      letGo { _ in false }
    }
    // Once the network is watched: to begin with that may take longer than a short wait. The timer keeps the retrier until then.
    if maximumWait != .never {
      timers.asyncAfter(deadline: .now() + maximumWait) { self.timeIsUp(for: number) }
    }
  }

  private func watch() {
    let monitor = makeMonitor()
    let isNeeded = state.withLock { state in
      guard state.monitor == nil, !state.waiting.isEmpty else { return false }
      state.monitor = monitor
      return true
    }
    guard isNeeded else { return }
    monitor.start { [weak self, weak monitor] status in
      if let monitor { self?.hear(status, from: monitor) }
    }
  }

  private func hear(_ status: NWPath.Status, from monitor: any ConnectivityMonitor) {
    letGo { state in
      // It may have been stopped meanwhile: the next one begins anew.
      guard state.monitor === monitor else { return nil }
      defer { state.status = status }
      return status == .satisfied ? state.status != nil : nil
    }
  }

  /// - Parameter isChange: Whether the network is another one than before; nil if there is no reason to let go.
  private func letGo(_ isChange: (inout State) -> Bool?) {
    let (released, monitor) = state.withLock { state -> ([Waiter], (any ConnectivityMonitor)?) in
      guard let isChange = isChange(&state) else { return ([], nil) }
      return (state.release(isChange: isChange), state.takeMonitorIfIdle())
    }
    monitor?.cancel()
    for waiter in released { waiter.completion(.retry) }
  }

  /// The request is over, perhaps because it was stopped while it waited.
  private func forget(_ request: ObjectIdentifier) {
    let (idle, monitor) = state.withLock { state in
      state.past[request] = nil
      let idle = state.waiting.filter { $0.value.request == request }
      for number in idle.keys { state.waiting[number] = nil }
      return (idle, state.takeMonitorIfIdle())
    }
    monitor?.cancel()
    for waiter in idle.values { waiter.completion(.doNotRetry) }
  }

  private func timeIsUp(for number: UInt64) {
    let (waiter, monitor) = state.withLock { state in
      let waiter = state.waiting.removeValue(forKey: number)
      if let waiter { state.past[waiter.request]?.lostAttempt = waiter.attempt }
      return (waiter, state.takeMonitorIfIdle())
    }
    monitor?.cancel()
    waiter?.completion(.doNotRetry)
  }
}

extension RequestInterceptor where Self == OfflineRetrier {
  /// An ``OfflineRetrier``; see its initializer for what the parameters mean.
  public static func offlineRetrier(
    monitor: @autoclosure @escaping @Sendable () -> NWPathMonitor = NWPathMonitor(),
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) -> OfflineRetrier {
    OfflineRetrier(monitor: monitor(), maximumWait: maximumWait, isOfflineError: isOfflineError)
  }

  /// An ``OfflineRetrier`` that waits for a network of one type.
  public static func offlineRetrier(
    requiredInterfaceType: NWInterface.InterfaceType,
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) -> OfflineRetrier {
    OfflineRetrier(
      requiredInterfaceType: requiredInterfaceType, maximumWait: maximumWait, isOfflineError: isOfflineError)
  }

  /// An ``OfflineRetrier`` that waits for a network of any type but some.
  public static func offlineRetrier(
    prohibitedInterfaceTypes: [NWInterface.InterfaceType],
    maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
    isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
  ) -> OfflineRetrier {
    OfflineRetrier(
      prohibitedInterfaceTypes: prohibitedInterfaceTypes, maximumWait: maximumWait,
      isOfflineError: isOfflineError)
  }
}
