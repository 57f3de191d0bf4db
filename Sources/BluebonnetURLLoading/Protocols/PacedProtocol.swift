/// A protocol class of this module that reads its next piece when it is asked to, so that a slow task holds it back.
protocol PacedProtocol: URLProtocol {
  /// Delivers one more piece, or the end. Called on the queue of `startLoading()`.
  func loadMore()
}
