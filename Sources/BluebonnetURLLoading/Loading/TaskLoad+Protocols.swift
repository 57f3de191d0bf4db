import BluebonnetFoundation
import BluebonnetTransport

// Loads that a class makes in place of an exchange.
extension TaskLoad {
  /// Asks the caller's classes, which takes code of the caller's and therefore does not happen in loop context.
  func choose(among protocols: ProtocolClasses, _ prepared: PreparedRequest) {
    phase = .loading
    let task = task
    DispatchQueue.global().async { [self] in
      let type = protocols.first(for: task)
      engine.loop.execute { [self] in
        if isOver { return }
        if let type { load(by: type) } else { leave(prepared) }
      }
    }
  }

  /// Lets a class load the request.
  func load(by type: URLProtocol.Type) {
    phase = .loading
    var request = request
    // The URL does not say any more who it is.
    if let authorization = secrets.authorization, request.value(forHTTPHeaderField: "Authorization") == nil {
      request.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    switch (body, task.body) {
    case (.none, _), (_, .ofRequest): break
    case (_, .data(let data)): request.httpBody = data
    case (_, .file(let url)): request.httpBodyStream = InputStream(url: url)
    case (_, .streamed):
      // The stream has been asked for, and is read by whoever sends it.
      return finish(RefusedSetting.streamToProtocol.error(for: request.url))
    }
    consult({ [request, settings = engine.settings] in
      (settings.urlCache?.cachedResponse(for: request), settings.copyLimit)
    }) { [self, request] cached, limit in
      if isOver { return }
      copyLimit = limit
      let protocolLoad = ProtocolLoad(self)
      ownDetour.protocolLoad = protocolLoad
      protocolLoad.start(type, request, cached: cached)
    }
  }

  /// The response of a class: of any kind, and kept only if the class allows it.
  func accept(local response: URLResponse, isKept: Bool) {
    let head = response as? HTTPURLResponse
    self.response = head
    copy = isKept && head.map(mayBeKept) == true ? Data() : nil
    if copy != nil, engine.storageQueue == nil { copyLimit = engine.settings.copyLimit }
    let length = response.expectedContentLength
    bodyLength = length
    task.setResponse(response, expecting: length)
    takeBody(of: response, bodyLength: length < 0 ? nil : Int(length))
  }

  /// A piece of a body that is in memory already.
  func receive(_ data: Data) {
    guard case .delegate = sink, copy == nil else { return data.withUnsafeBytes { receive($0) } }
    task.countReceived(data.count)
    hand(data)
  }

  /// A transaction without a connection, so that the metrics show that there was one.
  func addLocalTransaction() {
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    add(
      URLSessionTaskTransactionMetrics(
        request: request, response: task.response, resourceFetchType: .unknown, clock: clock,
        instants: .init(), connection: connection, sizes: .init()))
  }
}
