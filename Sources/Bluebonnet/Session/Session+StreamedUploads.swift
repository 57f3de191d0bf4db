// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Session {
  /// Sends what an asynchronous sequence gives to a URL, as it gives it; by default as a POST. Such a body can be sent
  /// once: an attempt that needs it again fails.
  ///
  /// - Parameters:
  ///   - sequence: The body, of `Data`, `[UInt8]` or other contiguous bytes; see `StreamedBody`.
  ///   - length: How many bytes there are, which becomes `Content-Length`; `nil`, the default, sends them in chunks. More or
  ///     fewer fail the request.
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest`, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  public func upload<Bytes: AsyncSequence & Sendable>(
    _ sequence: Bytes, length: Int64? = nil, to convertible: any URLConvertible, method: HTTPMethod = .post,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> UploadRequest where Bytes.Element: ContiguousBytes {
    upload(
      StreamedBody(sequence, length: length), to: convertible, method: method, headers: headers,
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume,
      requestModifier: requestModifier)
  }

  /// Sends what an asynchronous sequence gives as the body of a `URLRequest`. Such a body can be sent once: an attempt
  /// that needs it again fails.
  ///
  /// - Parameters:
  ///   - sequence: The body, of `Data`, `[UInt8]` or other contiguous bytes; see `StreamedBody`.
  ///   - length: How many bytes there are, which becomes `Content-Length`; `nil`, the default, sends them in chunks. More or
  ///     fewer fail the request.
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  /// - Returns: The request.
  public func upload<Bytes: AsyncSequence & Sendable>(
    _ sequence: Bytes, length: Int64? = nil, with convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil
  ) -> UploadRequest where Bytes.Element: ContiguousBytes {
    upload(
      StreamedBody(sequence, length: length), with: convertible, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Sends a body that is produced while it is sent to a URL; by default as a POST.
  ///
  /// - Parameters:
  ///   - body: The body, which knows whether it can be sent again.
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest`, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  public func upload(
    _ body: StreamedBody, to convertible: any URLConvertible, method: HTTPMethod = .post,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      body,
      with: RequestConvertible(
        url: address(convertible), method: method, headers: headers, requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Sends a body that is produced while it is sent as the body of a `URLRequest`.
  ///
  /// - Parameters:
  ///   - body: The body, which knows whether it can be sent again.
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  /// - Returns: The request.
  public func upload(
    _ body: StreamedBody, with convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil
  ) -> UploadRequest {
    upload(
      Upload(request: convertible, body: .stream(StreamedBodyInputStream(body))), fileManager: .default,
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }
}
