// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import HTTPTypes

  extension URLSession {
    /// Loads a request.
    ///
    /// - Parameters:
    ///   - request:  The request.
    ///   - delegate: The delegate of this task alone; nil for the session's.
    /// - Returns: The body of the response, and its head.
    /// - Throws: an ``HTTPConversionError``, or the load's `URLError`.
    public func data(
      for request: HTTPRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, HTTPResponse) {
      let (data, response) = try await data(for: request.asURLRequest(), delegate: delegate)
      return (data, try response.converted())
    }

    /// Sends data as the body of a request.
    ///
    /// - Parameters:
    ///   - request:  The request.
    ///   - bodyData: The body.
    ///   - delegate: The delegate of this task alone; nil for the session's.
    /// - Returns: The body of the response, and its head.
    /// - Throws: an ``HTTPConversionError``, or the load's `URLError`.
    public func upload(
      for request: HTTPRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, HTTPResponse) {
      let (data, response) = try await upload(for: request.asURLRequest(), from: bodyData, delegate: delegate)
      return (data, try response.converted())
    }

    /// Sends a file as the body of a request.
    ///
    /// - Parameters:
    ///   - request:  The request.
    ///   - fileURL:  The file.
    ///   - delegate: The delegate of this task alone; nil for the session's.
    /// - Returns: The body of the response, and its head.
    /// - Throws: an ``HTTPConversionError``, or the load's `URLError`.
    public func upload(
      for request: HTTPRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, HTTPResponse) {
      let (data, response) = try await upload(
        for: request.asURLRequest(), fromFile: fileURL, delegate: delegate)
      return (data, try response.converted())
    }

    /// Loads a request into a file, which is the caller's to remove.
    ///
    /// - Parameters:
    ///   - request:  The request.
    ///   - delegate: The delegate of this task alone; nil for the session's.
    /// - Returns: The file with the body of the response, and its head.
    /// - Throws: an ``HTTPConversionError``, or the load's `URLError`.
    public func download(
      for request: HTTPRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, HTTPResponse) {
      let (file, response) = try await download(for: request.asURLRequest(), delegate: delegate)
      return (file, try response.converted())
    }

    /// Loads a request, and returns once the head of its response is there.
    ///
    /// - Parameters:
    ///   - request:  The request.
    ///   - delegate: The delegate of this task alone; nil for the session's.
    /// - Returns: The body of the response, byte by byte, and its head.
    /// - Throws: an ``HTTPConversionError``, or the load's `URLError`.
    public func bytes(
      for request: HTTPRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, HTTPResponse) {
      let (bytes, response) = try await bytes(for: request.asURLRequest(), delegate: delegate)
      return (bytes, try response.converted())
    }
  }

  extension URLSessionTask {
    /// The request that the task was made with; nil if it cannot be converted.
    public var originalHTTPRequest: HTTPRequest? { originalRequest?.httpRequest }

    /// The request that was last sent: after redirects another than the original one.
    public var currentHTTPRequest: HTTPRequest? { currentRequest?.httpRequest }

    /// The response, as soon as its head has arrived.
    public var httpResponse: HTTPResponse? { (response as? HTTPURLResponse)?.httpResponse }
  }

  extension URLResponse {
    fileprivate func converted() throws(HTTPConversionError) -> HTTPResponse {
      guard let response = self as? HTTPURLResponse else { throw .notHTTP }
      return try response.convertedResponse()
    }
  }
#endif
