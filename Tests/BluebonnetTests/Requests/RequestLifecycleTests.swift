// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct RequestLifecycleTests {
  private func running() -> RequestLifecycle {
    var life = RequestLifecycle()
    _ = life.resume(taskIsOver: false)
    _ = life.attachTask()
    return life
  }

  @Test func resumingSetsUpOnce() {
    var life = RequestLifecycle()
    #expect(life.resume(taskIsOver: false) == .setUp)
    #expect(life.resume(taskIsOver: false) == .refuse)
    #expect(life.attachTask() == .resume)
    #expect(life.suspend(taskIsOver: false) == .suspendTask)
    #expect(life.resume(taskIsOver: false) == .resumeTask)
  }

  @Test func suspendingBeforeTheTaskIsOnlyRemembered() {
    var life = RequestLifecycle()
    #expect(life.suspend(taskIsOver: false) == .announce)
    #expect(life.resume(taskIsOver: false) == .setUp)
    #expect(life.suspend(taskIsOver: false) == .announce)
    #expect(life.attachTask() == .rest)
    #expect(life.resume(taskIsOver: false) == .resumeTask)
  }

  @Test func eagerSetUpLeavesTheTaskAtRest() {
    var life = RequestLifecycle()
    #expect(life.setUpEagerly() == true)
    #expect(life.setUpEagerly() == false)
    #expect(life.attachTask() == .leave)
    var suspended = life
    #expect(suspended.suspend(taskIsOver: false) == .restTask)
    #expect(suspended.resume(taskIsOver: false) == .resumeTask)
    #expect(suspended.suspend(taskIsOver: false) == .suspendTask)
    #expect(life.resume(taskIsOver: false) == .resumeTask)
  }

  @Test func cancellingFinishesWhatHasNoTask() {
    var idle = RequestLifecycle()
    #expect(idle.cancel(taskIsOver: false) == .finish)
    #expect(idle.cancel(taskIsOver: false) == .refuse)
    #expect(idle.resume(taskIsOver: false) == .refuse)

    var settingUp = RequestLifecycle()
    _ = settingUp.resume(taskIsOver: false)
    #expect(settingUp.cancel(taskIsOver: false) == .finish)
    #expect(settingUp.attachTask() == .cancel)
  }

  /// A task that was being made when the request was cancelled ends it: two ends would overtake each other.
  @Test func aTaskThatComesAfterTheCancellationEndsTheRequest() {
    var life = RequestLifecycle()
    _ = life.resume(taskIsOver: false)
    #expect(life.cancel(taskIsOver: false) == .finish)
    #expect(life.attachTask() == .cancel)
    #expect(life.finishWithoutTask() == false)
    #expect(life.finish() == true)
    #expect(life.finishWithoutTask() == false)
  }

  /// Its end has been told of.
  @Test func aTaskThatComesAfterTheEndIsDropped() {
    var life = RequestLifecycle()
    _ = life.resume(taskIsOver: false)
    #expect(life.cancel(taskIsOver: false) == .finish)
    #expect(life.finishWithoutTask() == true)
    #expect(life.attachTask() == .drop)
    #expect(life.nextResponse() == .deliver)
    #expect(life.attachTask() == .drop)
  }

  @Test func cancellingStopsTheTaskUnlessItIsOver() {
    var life = running()
    #expect(life.cancel(taskIsOver: false) == .cancelTask)
    var over = running()
    #expect(over.cancel(taskIsOver: true) == .announce)
    #expect(over.finish() == true)
  }

  @Test func cancellingDuringThePauseBeforeARetryFinishes() {
    var life = running()
    #expect(life.scheduleRetry() == true)
    #expect(life.cancel(taskIsOver: true) == .finish)
    #expect(life.startRetry() == false)
    #expect(life.finish() == true)
  }

  /// A retrier may take its time; whoever cancels does not wait for it.
  @Test func cancellingWhileARetrierIsAskedFinishes() {
    var life = running()
    #expect(life.askRetrier() == true)
    #expect(life.cancel(taskIsOver: true) == .finish)
    #expect(life.finishWithoutTask() == true)
    #expect(life.scheduleRetry() == false)
    #expect(life.finish() == false)
    var cancelled = running()
    _ = cancelled.cancel(taskIsOver: true)
    #expect(cancelled.askRetrier() == false)
  }

  /// The same, where what has failed is a serializer: the handlers are served on.
  @Test func cancellingWhileARetrierIsAskedAboutASerializer() {
    var life = running()
    #expect(life.addHandler(startsRequest: false) == .wait)
    #expect(life.finish() == true)
    #expect(life.nextResponse() == .run(0))
    #expect(life.askRetrier() == true)
    #expect(life.cancel(taskIsOver: true) == .finish)
    #expect(life.finishWithoutTask() == false)
    #expect(life.current == 0)
    #expect(life.hearRetrier() == true)
    #expect(life.hearRetrier() == false)
    life.didServe()
    #expect(life.nextResponse() == .deliver)
  }

  @Test func timeIsUp() {
    var idle = RequestLifecycle()
    #expect(idle.expire(taskIsOver: false) == .finish)
    #expect(idle.expire(taskIsOver: false) == .refuse)

    var settingUp = RequestLifecycle()
    _ = settingUp.resume(taskIsOver: false)
    #expect(settingUp.expire(taskIsOver: false) == .finish)
    #expect(settingUp.attachTask() == .cancel)

    var life = running()
    #expect(life.expire(taskIsOver: false) == .cancelTask)
    #expect(life.state == .resumed && life.isStopped)
    #expect(life.askRetrier() == false)
    #expect(life.scheduleRetry() == false)
    #expect(life.finish() == true)
    #expect(life.nextResponse() == .deliver)
    #expect(life.state == .finished)
    #expect(life.expire(taskIsOver: true) == .refuse)

    // Its end is on the way.
    var over = running()
    #expect(over.expire(taskIsOver: true) == .announce)
    #expect(over.askRetrier() == false)

    var asking = running()
    _ = asking.askRetrier()
    #expect(asking.expire(taskIsOver: true) == .finish)
    #expect(asking.finishWithoutTask() == true)

    var pausing = running()
    _ = pausing.scheduleRetry()
    #expect(pausing.expire(taskIsOver: true) == .finish)
    #expect(pausing.startRetry() == false)

    // A serializer's retrier is asked: what came is handed out.
    var serving = running()
    _ = serving.addHandler(startsRequest: true)
    _ = serving.finish()
    _ = serving.nextResponse()
    #expect(serving.expire(taskIsOver: true) == .announce)
    #expect(serving.scheduleRetry() == false)

    var cancelled = running()
    _ = cancelled.cancel(taskIsOver: false)
    #expect(cancelled.expire(taskIsOver: false) == .refuse)
  }

  @Test func cancellingTheSetUpOfARetryFinishes() {
    var life = running()
    #expect(life.scheduleRetry() == true)
    #expect(life.startRetry() == true)
    #expect(life.cancel(taskIsOver: true) == .finish)
  }

  @Test func handlersAreServedOneByOneAndDeliveredTogether() {
    var life = running()
    #expect(life.addHandler(startsRequest: true) == .wait)
    #expect(life.addHandler(startsRequest: true) == .wait)
    #expect(life.nextResponse() == .wait)
    #expect(life.finish() == true)
    #expect(life.finish() == false)
    #expect(life.nextResponse() == .run(0))
    #expect(life.nextResponse() == .wait)
    life.didServe()
    #expect(life.nextResponse() == .run(1))
    life.didServe()
    #expect(life.nextResponse() == .deliver)
    #expect(life.state == .finished)
    #expect(life.nextResponse() == .wait)
    #expect(life.finish() == false)
  }

  @Test func aLateHandlerOpensAFinishedRequestAgain() {
    var life = running()
    _ = life.finish()
    #expect(life.nextResponse() == .deliver)
    #expect(life.addHandler(startsRequest: true) == .serve)
    #expect(life.state == .resumed)
    #expect(life.addHandler(startsRequest: true) == .wait)
    #expect(life.nextResponse() == .run(0))
    life.didServe()
    #expect(life.nextResponse() == .run(1))
    life.didServe()
    #expect(life.nextResponse() == .deliver)
    #expect(life.state == .finished)
  }

  @Test func aLateHandlerLeavesACancelledRequestCancelled() {
    var life = running()
    _ = life.cancel(taskIsOver: false)
    _ = life.finish()
    #expect(life.nextResponse() == .deliver)
    #expect(life.state == .cancelled)
    #expect(life.addHandler(startsRequest: true) == .serve)
    #expect(life.state == .cancelled)
  }

  @Test func aSerializersRetryStartsFromTheFirstHandler() {
    var life = running()
    _ = life.addHandler(startsRequest: true)
    _ = life.addHandler(startsRequest: true)
    _ = life.finish()
    #expect(life.nextResponse() == .run(0))
    life.didServe()
    #expect(life.nextResponse() == .run(1))
    #expect(life.scheduleRetry() == true)
    #expect(life.startRetry() == true)
    #expect(life.finish() == true)
    #expect(life.nextResponse() == .run(0))
  }

  @Test func nobodyRetriesACancelledOrFinishedRequest() {
    var cancelled = running()
    _ = cancelled.cancel(taskIsOver: false)
    #expect(cancelled.scheduleRetry() == false)

    var finished = running()
    _ = finished.finish()
    #expect(finished.scheduleRetry() == false)
    #expect(finished.nextResponse() == .deliver)
    #expect(finished.scheduleRetry() == false)
  }

  @Test func theFirstHandlerStartsTheRequest() {
    var life = RequestLifecycle()
    #expect(life.addHandler(startsRequest: false) == .wait)
    #expect(life.addHandler(startsRequest: true) == .resume)
    _ = life.resume(taskIsOver: false)
    #expect(life.addHandler(startsRequest: true) == .wait)
  }
}
