import BluebonnetFoundation

// URLSessionConfiguration.responseBodyLimitInMemory.
extension TaskLoad {
  /// Whether the body ends up in memory as a whole.
  var gathersBody: Bool {
    switch state.incoming.sink {
    case .memory, .gathering: true
    case .file, .reader: false
    case .delegate: listener?.keepsBody(of: state.task) ?? false
    }
  }

  /// More has come than may be gathered.
  var exceedsMemory: Bool { state.task.countOfBytesReceived > engine.memoryLimit && gathersBody }

  /// - Parameter length: What the server announced; nil if it has sent too much without.
  func refuseBody(of length: Int?) {
    let limit = "\(engine.memoryLimit) that may be gathered in memory (responseBodyLimitInMemory)"
    // The bytes at hand are of no use.
    switch state.incoming.sink {
    case .memory: state.incoming.sink = .memory(Data())
    case .gathering: state.incoming.sink = .gathering(Data())
    case .delegate, .file, .reader: break
    }
    stop(
      .loading(
        .dataLengthExceedsMaximum, url: state.request.url, phase: .receivingBody,
        reason: length.map { "it has \($0) bytes, more than the \(limit)" }
          ?? "it has more bytes than the \(limit)"))
  }
}
