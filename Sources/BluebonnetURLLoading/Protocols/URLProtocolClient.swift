// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// Hears of the progress of a `URLProtocol`.
public protocol URLProtocolClient: AnyObject, Sendable {
  /// Says that the load is to go on with another request, for which a protocol class is looked for anew. This instance
  /// is stopped.
  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  /// Says that the cached response is the answer; it is delivered, and ends the load.
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  /// Says that the head of the response has arrived. To be called once, before any part of the body.
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy)
  /// A part of the body has arrived.
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  /// Says that the body is complete. To be called once, as the last.
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  /// Says that the load has failed, and why. To be called once, as the last.
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  /// Says that credentials are asked for; the session's delegate answers the challenge's `sender`.
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  /// Says that the answer to a challenge is not needed any more.
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
