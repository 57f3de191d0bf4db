import BluebonnetFoundation
import BluebonnetTransport

extension RequestBody {
  /// The body that a task sends with a request.
  init(of task: URLSessionTask, request: URLRequest) throws(URLError) {
    switch task.body {
    case .ofRequest, .streamed:
      if let data = request.httpBody {
        self = .source(DataBodySource(data))
      } else if let stream = request.httpBodyStream {
        self = .source(BlockingBodySource(stream: stream, of: request))
      } else {
        self = .none
      }
    case .resumption: self = .none
    case .data(let data): self = .source(DataBodySource(data))
    case .file(let url): self = .source(try BlockingBodySource(file: url))
    }
  }
}
