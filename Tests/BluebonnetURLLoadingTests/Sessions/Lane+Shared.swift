import BluebonnetEventLoop
import BluebonnetURLLoading

extension Lane {
  /// The process's loop.
  static var loop: Lane { .loop(EventLoop.shared) }
}
