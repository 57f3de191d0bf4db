import BluebonnetFoundation

/// Hears of the progress of a `URLProtocol`.
public protocol URLProtocolClient: AnyObject, Sendable {
  /// The load goes elsewhere.
  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  /// What the cache has is good.
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  /// The head has arrived.
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy)
  /// A part of the body has arrived.
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  /// The body is complete.
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  /// The load has failed.
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  /// The peer asks for credentials.
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  /// The question is off.
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
