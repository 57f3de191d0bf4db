/// A delegate that keeps the bodies of some tasks in memory.
package protocol BodyKeeping: AnyObject {
  /// Whether the pieces of the task's body are put together as they are handed over.
  func keepsBody(of task: URLSessionTask) -> Bool
}
