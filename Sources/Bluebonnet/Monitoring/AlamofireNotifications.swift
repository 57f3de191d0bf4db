// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Synchronization

/// Posts a `Notification` for the turns in a request's life; part of every session by default.
///
/// Nothing is posted until the program has read one of the names, `Request.didResumeNotification` and
/// its siblings: without the name there can be no observer, and posting is not free.
public final class AlamofireNotifications: EventMonitor {
  private static let wanted = Atomic(false)

  /// Whether a name has been read.
  static var areWanted: Bool { wanted.load(ordering: .relaxed) }

  /// Makes a monitor that posts on the main queue.
  public init() {}

  /// Posts ``Request/didResumeNotification``, if a name has been read.
  public func requestDidResume(_ request: Request) { post(.resume, for: request) }
  /// Posts ``Request/didSuspendNotification``, if a name has been read.
  public func requestDidSuspend(_ request: Request) { post(.suspend, for: request) }
  /// Posts ``Request/didCancelNotification``, if a name has been read.
  public func requestDidCancel(_ request: Request) { post(.cancel, for: request) }
  /// Posts ``Request/didFinishNotification``, if a name has been read.
  public func requestDidFinish(_ request: Request) { post(.finish, for: request) }
  /// Posts ``Request/didResumeTaskNotification``, if a name has been read.
  public func request(_ request: Request, didResumeTask task: URLSessionTask) {
    post(.resumeTask, for: request)
  }
  /// Posts ``Request/didSuspendTaskNotification``, if a name has been read.
  public func request(_ request: Request, didSuspendTask task: URLSessionTask) {
    post(.suspendTask, for: request)
  }
  /// Posts ``Request/didCancelTaskNotification``, if a name has been read.
  public func request(_ request: Request, didCancelTask task: URLSessionTask) {
    post(.cancelTask, for: request)
  }
  /// Posts ``Request/didCompleteTaskNotification``, if a name has been read.
  public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
    post(.completeTask, for: request)
  }

  enum Turn: String {
    case resume = "Resume"
    case suspend = "Suspend"
    case cancel = "Cancel"
    case finish = "Finish"
    case resumeTask = "ResumeTask"
    case suspendTask = "SuspendTask"
    case cancelTask = "CancelTask"
    case completeTask = "CompleteTask"

    /// The name; its reader may be about to observe it.
    var wantedName: Notification.Name {
      AlamofireNotifications.wanted.store(true, ordering: .relaxed)
      return name
    }

    var name: Notification.Name {
      Notification.Name("org.alamofire.notification.name.request.did\(rawValue)")
    }
  }

  private func post(_ turn: Turn, for request: Request) {
    guard Self.areWanted else { return }
    NotificationCenter.default.post(
      name: turn.name, object: nil, userInfo: [Notification.requestKey: request])
  }
}

extension Notification {
  static let requestKey = "org.alamofire.notification.key.request"

  /// The request that a notification of the library is about.
  public var request: Request? { userInfo?[Self.requestKey] as? Request }
}

extension Request {
  /// Posted on the main queue when a request is resumed; the notification's `request` is the request.
  public static var didResumeNotification: Notification.Name { AlamofireNotifications.Turn.resume.wantedName }
  /// Posted on the main queue when a request is suspended; the notification's `request` is the request.
  public static var didSuspendNotification: Notification.Name {
    AlamofireNotifications.Turn.suspend.wantedName
  }
  /// Posted on the main queue when a request is cancelled; the notification's `request` is the request.
  public static var didCancelNotification: Notification.Name { AlamofireNotifications.Turn.cancel.wantedName }
  /// Posted when a request will make no further attempt.
  public static var didFinishNotification: Notification.Name { AlamofireNotifications.Turn.finish.wantedName }
  /// Posted when a request's task is resumed.
  public static var didResumeTaskNotification: Notification.Name {
    AlamofireNotifications.Turn.resumeTask.wantedName
  }
  /// Posted when a request's task is suspended.
  public static var didSuspendTaskNotification: Notification.Name {
    AlamofireNotifications.Turn.suspendTask.wantedName
  }
  /// Posted when a request's task is cancelled.
  public static var didCancelTaskNotification: Notification.Name {
    AlamofireNotifications.Turn.cancelTask.wantedName
  }
  /// Posted when a request's task is over.
  public static var didCompleteTaskNotification: Notification.Name {
    AlamofireNotifications.Turn.completeTask.wantedName
  }
}
