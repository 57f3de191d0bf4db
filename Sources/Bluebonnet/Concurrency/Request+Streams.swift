// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// The progress of the request's body, again and again until the request is over.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func uploadProgress(
    bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
  ) -> StreamOf<Progress> {
    reports(bufferingPolicy) { continuation in
      uploadProgress(queue: underlyingQueue) { continuation.yield($0) }
    }
  }

  /// The progress of the response's body, again and again until the request is over.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func downloadProgress(
    bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
  ) -> StreamOf<Progress> {
    reports(bufferingPolicy) { continuation in
      downloadProgress(queue: underlyingQueue) { continuation.yield($0) }
    }
  }

  /// Each `URLRequest` that is about to be sent.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func urlRequests(
    bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
  ) -> StreamOf<URLRequest> {
    reports(bufferingPolicy) { continuation in
      onURLRequestCreation(on: underlyingQueue) { continuation.yield($0) }
    }
  }

  /// Each task of the request.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func urlSessionTasks(
    bufferingPolicy: StreamOf<URLSessionTask>.BufferingPolicy = .unbounded
  ) -> StreamOf<URLSessionTask> {
    reports(bufferingPolicy) { continuation in
      onURLSessionTaskCreation(on: underlyingQueue) { continuation.yield($0) }
    }
  }

  /// The request as a curl command, for each `URLRequest` that is about to be sent.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func cURLDescriptions(
    bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
  ) -> StreamOf<String> {
    reports(bufferingPolicy) { continuation in
      describe(on: underlyingQueue, everyTime: true) { continuation.yield($0) }
    }
  }

  /// A sequence that ends with the request, behind the last report.
  private func reports<Element>(
    _ bufferingPolicy: StreamOf<Element>.BufferingPolicy, feed: (StreamOf<Element>.Continuation) -> Void
  ) -> StreamOf<Element> {
    StreamOf(bufferingPolicy: bufferingPolicy) { continuation in
      feed(continuation)
      let queue = underlyingQueue
      onFinish { queue.async { continuation.finish() } }
    }
  }

  fileprivate func responses(
    _ bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy
  ) -> StreamOf<HTTPURLResponse> {
    reports(bufferingPolicy) { continuation in
      _ = show(responsesOn: underlyingQueue) { continuation.yield($0) }
    }
  }
}

extension DataRequest {
  /// The heads of the responses, one per attempt or more.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func httpResponses(
    bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
  ) -> StreamOf<HTTPURLResponse> {
    responses(bufferingPolicy)
  }
}

extension DataStreamRequest {
  /// The heads of the responses, one per attempt or more.
  ///
  /// - Parameter bufferingPolicy: How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func httpResponses(
    bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
  ) -> StreamOf<HTTPURLResponse> {
    responses(bufferingPolicy)
  }
}
