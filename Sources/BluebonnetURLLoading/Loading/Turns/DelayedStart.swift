// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation

/// Has a load begin at the earliest date of its task (`URLSessionTask.earliestBeginDate`), with the request that the delegate then
/// decides on.
///
///     wait ─▶ (the date) ─▶ (the task is resumed) ─▶ the delegate is asked ─▶ begin
///
// Touched only while the loop is held.
final class DelayedStart {
  /// The wall clock may be set meanwhile, so it is looked at from time to time.
  private static var longestNap: TimeInterval { 60 }

  private unowned let load: Load
  private let date: Date
  private let go: () -> Void
  private var timer: TimerToken?
  /// The date has passed while the task was suspended.
  private var isDue = false

  /// - Parameter go: Begins the load, whose request is prepared. Called in loop context.
  init(of load: Load, until date: Date, go: @escaping () -> Void) {
    (self.load, self.date, self.go) = (load, date, go)
  }

  func wait() {
    let loop = load.engine.loop
    let rest = date.timeIntervalSince1970 - loop.secondsSince1970
    guard rest > 0 else { return dateHasPassed() }
    let nap = UInt64(min(rest, Self.longestNap) * 1e9) &+ 1
    // Taken back when the load ends, so it keeps nothing alive for longer.
    timer = loop.schedule(at: MonotonicTime(nanoseconds: loop.instant.nanoseconds &+ nap)) {
      [load, start = LoopConfined(self)] in
      guard load.state.mayBegin else { return }
      start.value.timer = nil
      start.value.wait()
    }
  }

  /// The load has ended.
  func cancel() {
    isDue = false
    if let timer = timer.take() { load.engine.loop.cancel(timer) }
  }

  /// A suspended task begins when it is resumed.
  func taskIsResumed() { if isDue { dateHasPassed() } }

  private func dateHasPassed() {
    guard load.state.mayBegin else { return }
    isDue = load.isSuspended
    if isDue { return }
    guard let listener = load.listener else { return begin(load.state.request) }
    // The delegate may never answer. When it has, the time for the resource counts anew.
    load.armResourceTime(from: load.engine.loop.now.nanoseconds)
    let question = load.state.machine.ask(.delayedRequest)
    listener.ask(
      .delayedRequest(load.state.request) { [load, start = LoopConfined(self)] answer, next in
        load.engine.loop.execute { if load.take(question) { start.value.decided(answer, next) } }
      }, of: load.state.task)
  }

  private func decided(_ answer: URLSession.DelayedRequestDisposition, _ next: URLRequest?) {
    load.endResourceTime()
    load.state.machine.rest()
    switch (answer, next) {
    case (.continueLoading, _): begin(load.state.request)
    case (.useNewRequest, let next?):
      load.state.request = next
      load.state.task.setCurrentRequest(next)
      begin(next)
    case (.useNewRequest, nil), (.cancel, _):
      load.stop(
        .loading(
          .cancelled, url: load.state.request.url, phase: .cancelling,
          reason: "the delegate cancelled the delayed load"))
    }
  }

  /// Not in loop context: a body's file is looked at, and the user's storages may be asked.
  private func begin(_ request: URLRequest) {
    load.state.machine.rest()
    let task = load.state.task
    let request = task.originalRequest == nil ? nil : request
    (load.engine.storageQueue ?? .global()).async { [load, start = LoopConfined(self)] in
      DownloadDriver.whenPartOpens(of: load, for: request) {
        var prepared = PreparedRequest()
        if let request {
          prepared.prepare(for: task, request, load.engine.requestBuilder)
        } else {
          prepared.prepare(for: task, load.engine.requestBuilder)
        }
        load.engine.loop.execute { [prepared] in
          guard load.state.mayBegin else { return load.dropPart() }
          load.prepared = prepared
          start.value.go()
        }
      }
    }
  }
}
