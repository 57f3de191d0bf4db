// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading
import Synchronization

/// The part that a session, its delegate and its requests share. None of them keeps another one alive through it:
/// only requests that are under way are held, by the session's own bookkeeping.
final class SessionContext: Sendable {
  let executor: CallbackExecutor
  /// True when the pipeline lives on the event loop. All state is behind locks then, so a step may run on
  /// whatever thread brings it about; only code that is not the library's must stay off the loop.
  let isOnLoop: Bool
  /// The loop of the session's configuration: its clock times deadlines and retries, wherever the pipeline lives.
  let loop: EventLoop
  let rootQueue: DispatchQueue
  let requestQueue: DispatchQueue
  let serializationQueue: DispatchQueue
  /// Whether that is the library's own, which is serial; a caller's may be concurrent.
  private let serializesInTurn: Bool
  let monitor: CompositeEventMonitor
  private let monitorOnlyNotifies: Bool
  let serverTrustManager: ServerTrustManager?
  let redirectHandler: (any RedirectHandler)?
  let cachedResponseHandler: (any CachedResponseHandler)?
  /// Moves downloaded files.
  let fileManager: FileManager
  let active = Locked(ActiveRequests<Request>())
  /// Whether the session was asked, at least once, when requests have called all their handlers: only then is it looked after. Set
  /// before `active` is looked at.
  let awaitsDeliveries = Atomic(false)

  init(
    executor: CallbackExecutor, loop: EventLoop, rootQueue: DispatchQueue, requestQueue: DispatchQueue?,
    serializationQueue: DispatchQueue?,
    monitors: [any EventMonitor], serverTrustManager: ServerTrustManager?,
    redirectHandler: (any RedirectHandler)?, cachedResponseHandler: (any CachedResponseHandler)?,
    fileManager: FileManager
  ) {
    self.executor = executor
    isOnLoop = executor.isLoop
    self.loop = loop
    self.rootQueue = rootQueue
    // On the loop nothing waits on the root queue, so these two may run beside each other.
    let target = executor.isLoop ? nil : rootQueue
    self.requestQueue =
      requestQueue ?? DispatchQueue(label: "\(rootQueue.label).requestQueue", target: target)
    serializesInTurn = serializationQueue == nil
    self.serializationQueue =
      serializationQueue ?? DispatchQueue(label: "\(rootQueue.label).serializationQueue", target: target)
    monitor = CompositeEventMonitor(queue: rootQueue, monitors: monitors)
    monitorOnlyNotifies = monitor.onlyNotifies
    self.serverTrustManager = serverTrustManager
    self.redirectHandler = redirectHandler
    self.cachedResponseHandler = cachedResponseHandler
    self.fileManager = fileManager
  }

  /// The queue on which the parts of one stream are serialized, one after the other.
  func serializationQueueOfStream() -> DispatchQueue {
    serializesInTurn
      ? serializationQueue
      : DispatchQueue(label: "\(serializationQueue.label).stream", target: serializationQueue)
  }

  /// The session's monitors; `nil` when an event would go unheard: the usual case, and it must cost nothing.
  var observer: CompositeEventMonitor? {
    monitorOnlyNotifies && !AlamofireNotifications.areWanted ? nil : monitor
  }

  /// The request has come to its end.
  ///
  /// - Parameter handlerCount: The number of handlers that are to be called now, each of which ends with ``handlerReturned()``.
  func remove(_ request: Request, calling handlerCount: Int = 0) {
    active.withLock { $0.remove(request, calling: handlerCount) }?.forEach { $0() }
  }

  /// A response handler has returned that was counted when its request was removed.
  func handlerReturned() {
    active.withLock { $0.handlerReturned() }?.forEach { $0() }
  }

  /// Calls `action` when no request is under way and all handlers have returned, at once if it is so.
  func whenSettled(perform action: @escaping @Sendable () -> Void) {
    if !active.withLock({ $0.waits(action) }) { action() }
  }

  /// Runs a library step: right here when the pipeline is on the loop, else on the session's root queue.
  func step(_ work: @escaping @Sendable () -> Void) {
    if isOnLoop { work() } else { executor.async(work) }
  }

  /// Runs a step that the current one must not wait for, such as the end of a request that is cancelled
  /// by a caller that may hold a lock.
  func later(_ work: @escaping @Sendable () -> Void) {
    executor.async(work)
  }

  /// Runs code that is not the library's, or that may block, called from a step: off the loop, or where the step already
  /// is when the caller chose the queues.
  func userCode(_ work: @escaping @Sendable () -> Void) {
    if isOnLoop { requestQueue.async(execute: work) } else { work() }
  }
}
