// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTransport

extension RequestBody {
  /// The body that a task sends with a request.
  init(of task: URLSessionTask, request: URLRequest) throws(URLError) {
    switch task.body {
    case .ofRequest:
      if let data = request.httpBody {
        self = .source(DataBodySource(data))
      } else if let stream = request.httpBodyStream {
        self = .source(try RequestBody.source(of: stream, request))
      } else {
        self = .none
      }
    // The delegate is asked for it.
    case .streamed: self = .none
    case .resumption: self = .none
    case .data(let data): self = .source(DataBodySource(data))
    case .file(let url):
      // None if the session is invalidated.
      let descriptors = (task.session.engine as? SessionEngine)?.descriptorWait(for: task)
      self = .source(try BlockingBodySource(file: url, waitingFor: descriptors))
    case .produced(let body): self = .source(try body.source)
    }
  }

  /// A stream that stands for a sequence needs no reader that waits.
  static func source(of stream: InputStream, _ request: URLRequest) throws(URLError) -> any BodySource {
    guard let stream = stream as? StreamedBodyInputStream else {
      return BlockingBodySource(stream: stream, of: request)
    }
    let source = try stream.body.source
    // Its content may be encoded, and named so.
    return stream.coding.map { ProducedBodySource(source.body, coding: $0) } ?? source
  }
}

extension StreamedBody {
  /// The source that the transport pulls it from.
  ///
  /// - Throws: if it cannot be sent.
  var source: ProducedBodySource {
    get throws(URLError) {
      if let length, length < 0 {
        throw .loading(
          .requestBodyStreamExhausted, url: nil, phase: .preparing,
          reason: "the body was declared to be \(length) bytes long")
      }
      if isSpent, let replayObstacle {
        throw .loading(
          .requestBodyStreamExhausted, url: nil, phase: .preparing,
          reason: "the body cannot be sent again: \(replayObstacle), and has been read from")
      }
      return ProducedBodySource(self)
    }
  }
}
