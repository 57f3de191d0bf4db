// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics

/// Takes a download's file through its responses: whether one is put behind the part that is there (RFC 9110 §14), and what becomes
/// of the file when the download breaks off.
struct DownloadDriver {
  let load: Load
  let file: DownloadFile

  // MARK: Beginning

  /// Does this when the part of an earlier download can be opened, if the task goes on with one. Not in loop context. It may be
  /// done later and on another thread, where there is no descriptor yet, or when there has been none for too long.
  ///
  /// - Parameter request: What the task asks for; nil for what it was made with.
  static func whenPartOpens(
    of load: Load, for request: URLRequest? = nil, _ go: @escaping @Sendable () -> Void
  ) {
    guard case .resumption(let earlier) = load.state.task.body,
      let request = request ?? load.state.task.originalRequest,
      !earlier.openPart(for: request)
    else { return go() }
    let wait = load.engine.descriptorWait(for: load.state.task)
    wait.retry(on: load.engine.storageQueue ?? .global()) { isInTime in
      if isInTime, !earlier.openPart(for: request) { return false }
      go()
      return true
    }
  }

  /// The part has been looked for, and the request made.
  static func begin(_ load: Load, with earlier: ResumedDownload) {
    let (request, part) = earlier.take()
    if let request {
      load.state.request = request
      load.state.task.setCurrentRequest(request)
    }
    guard let part, let record = try? earlier.record.get() else { return }
    let file = DownloadFile(
      of: load.state.task.originalRequest?.url, part, .init(data: earlier.data, record: record),
      waitingFor: load.engine.descriptorWait(for: load.state.task))
    if (load.state.task as? URLSessionDownloadTask)?.takesDigest == true { file.takeDigest() }
    load.state.incoming.sink = .file(file)
  }

  /// Ends a download for the sake of its resume data.
  static func end(_ load: Load, for taker: @escaping @Sendable (Data?) -> Void) {
    let executor = load.state.task.session.userExecutor
    guard !load.state.isOver else { return executor.async { taker(nil) } }
    guard case .file(let file) = load.state.incoming.sink else {
      // It has not begun, and does not, however long the taker takes.
      load.state.ending = load.cancellation
      let earlier = load.state.task.body.resumption
      earlier?.drop()
      return executor.async {
        taker(earlier?.data)
        load.engine.loop.execute { load.endCancelled() }
      }
    }
    file.resumeDataTaker = taker
    load.endCancelled()
  }

  // MARK: Going on

  /// The final response of a download that asked for the rest.
  ///
  /// - Returns: false if it is a response like any other.
  func accepts(_ response: HTTPURLResponse) -> Bool {
    guard let resumption = file.resumption, case .none = resumption.answer else { return false }
    let record = resumption.record
    switch record.point.decide(status: response.statusCode, response.fields) {
    case .continue(let end, let total):
      file.resumption?.answer = .goesOn(end: end, total: total)
      let whole = response.completed(with: record.representation)
      load.state.response = whole
      load.begin(whole, of: total ?? NSURLSessionTransferSizeUnknown, isKept: false)
      tellResumption(at: record.point.offset, of: total)
      load.delivery.takeBody(of: whole)
      return true
    case .complete:
      let (offset, whole) = (record.point.offset, response.standsForWhole(of: record))
      file.resumption?.answer = .goesOn(end: offset, total: offset)
      load.begin(whole, of: offset, isKept: false)
      tellResumption(at: offset, of: offset)
      load.state.response = whole
      load.discard(response, then: .finish)
      return true
    case .startOver:
      giveUpPart()
      return false
    case .askAgain:
      giveUpPart()
      load.discard(response, then: .sendForWhole)
      return true
    case .refuse(let reason):
      file.resumption?.answer = .setAside
      file.leavePart(isKept: true)
      load.stop(
        .loading(
          .badServerResponse, url: load.state.request.url, phase: .receivingHead, reason: reason,
          fault: .server))
      return true
    case .unrelated:
      file.resumption?.answer = .setAside
      file.leavePart(isKept: true)
      return false
    }
  }

  /// A response that does not come over HTTP is the whole.
  func startsOver() {
    if file.resumption != nil { giveUpPart() }
  }

  private func giveUpPart() {
    file.resumption = nil
    file.leavePart(isKept: false)
  }

  private func tellResumption(at offset: Int64, of total: Int64?) {
    load.state.task.count { $0.received = offset }
    load.tell(.resumed(at: offset, of: total ?? NSURLSessionTransferSizeUnknown))
  }

  // MARK: The end

  /// The fault of a file after a good end of its response: a part that is not the one that was announced.
  private var shortfall: URLError? {
    guard case .goesOn(let end, let total)? = file.resumption?.answer else { return nil }
    let reason: String
    if file.length != end {
      reason = "the part that it sent ends at byte \(file.length), and was to end at \(end) (Content-Range)"
    } else if let total, end < total {
      reason = "it was asked for all the rest, and sent only the bytes up to \(end) of \(total)"
    } else {
      return nil
    }
    return .loading(
      .badServerResponse, url: load.state.request.url, phase: .receivingBody, reason: reason, fault: .server)
  }

  /// The file is closed.
  ///
  /// - Parameters:
  ///   - offer: Offers the response to the cache, then goes on.
  ///   - complete: Called in loop context, with the task's error.
  func conclude(
    _ error: (any Error)?, offer: (@escaping @Sendable () -> Void) -> Void,
    then complete: @escaping @Sendable ((any Error)?) -> Void
  ) {
    if let error = error ?? load.state.ending ?? shortfall { return keep(after: error, then: complete) }
    offer {
      if let ending = load.state.ending { return keep(after: ending, then: complete) }
      // All of it is here. What the listener does with it, and how long that takes, is its own affair.
      load.endResourceTime()
      // A completion handler is shown the file when it is called.
      if load.state.task.completion != nil { return complete(nil) }
      load.delivery.handOver(file) { complete(nil) }
    }
  }

  /// The download has failed and its file is closed: keeps the file if it can be gone on with.
  private func keep(after error: any Error, then complete: @escaping @Sendable ((any Error)?) -> Void) {
    let broken: @Sendable (Data?) -> Void = { data in self.broken(off: error, data, then: complete) }
    let remove = { data in file.remove { load.engine.loop.execute { broken(data) } } }
    // A caller that ends a download without asking for resume data does not want to go on. An earlier part stays: the
    // data that name it are still the caller's.
    let isForgotten = (error as? URLError)?.code == .cancelled && file.resumeDataTaker == nil
    guard let resumption = file.resumption else {
      guard !isForgotten, let data = recordMaker() else { return remove(nil) }
      return file.keep(isAskedFor: file.resumeDataTaker != nil, data) { data in
        load.engine.loop.execute { broken(data) }
      }
    }
    let earlier = isForgotten ? nil : resumption.data
    switch resumption.answer {
    case .none: broken(earlier)
    case .setAside: remove(earlier)
    // Complete, and no part any more.
    case .goesOn where isForgotten && !file.isPart: remove(nil)
    case .goesOn(let end, _):
      // More than was announced is not of this representation: the data of before cut it off.
      guard !isForgotten, file.length <= end, let data = recordMaker() else { return broken(earlier) }
      file.keep(isAskedFor: file.resumeDataTaker != nil, data) { data in
        load.engine.loop.execute { broken(data ?? earlier) }
      }
    }
  }

  /// Makes resume data of the request and its response; nil if they are not enough.
  private func recordMaker() -> (@Sendable (PartLocation, Int64) -> Data?)? {
    guard let response = load.state.response, let original = load.state.task.originalRequest,
      let url = original.url,
      url.scheme?.lowercased().hasPrefix("http") == true, load.state.request.httpMethod == "GET",
      original.httpBody == nil, original.httpBodyStream == nil
    else { return nil }
    let (fields, status) = (response.fields, response.statusCode)
    let now = Int(load.engine.loop.secondsSince1970)
    let length = load.state.incoming.length
    let total = length >= 0 ? length : nil
    let point: @Sendable (Int64) -> ResumePoint? = { offset in
      ResumablePart.point(
        method: original.httpMethod ?? "GET", requestFields: original.headerFields, status: status,
        fields: fields, offset: offset, total: total, now: now)
    }
    // Nothing is moved about for what cannot be gone on with in any case.
    guard point(1) != nil else { return nil }
    return { location, offset in
      guard let point = point(offset) else { return nil }
      var record = ResumeRecord(url: url.absoluteString, point: point, location: location)
      record.fields = original.headerFields
      record.timeout = original.statedTimeoutInterval.flatMap { Int64(exactly: ($0 * 1000).rounded()) }
      record.handlesCookies = original.httpShouldHandleCookies
      record.representation = ResumablePart.representationFields.compactMap { field in
        fields.first(field).map { .init(name: field.name, value: $0) }
      }
      return record.bytes.map { Data($0) }
    }
  }

  /// The caller that ended the download for the resume data gets them before the end is told.
  private func broken(
    off error: any Error, _ data: Data?, then complete: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let error = data.flatMap { (error as? URLError)?.carrying($0) } ?? error
    guard let taker = file.resumeDataTaker.take() else { return complete(error) }
    load.state.task.session.userExecutor.async { [load] in
      taker(data)
      load.engine.loop.execute { complete(error) }
    }
  }
}

extension HTTPURLResponse {
  /// This 206 with what it has left out of what the whole said of itself (RFC 9110 §15.3.7).
  fileprivate func completed(with earlier: [HeaderFields.Field]) -> HTTPURLResponse {
    let missing = earlier.filter { !fields.contains($0.name) }
    guard !missing.isEmpty, let url else { return self }
    // A block of its own: the one that has been read holds the head as it came.
    let all = fields.indices.map { (fields.name(at: $0), fields.value(at: $0)) }
    return HTTPURLResponse(
      url: url, statusCode: statusCode, minorVersion: minorVersion,
      fields: FieldBlock(all + missing.map { ($0.name, $0.value) }))
  }

  /// The meaning of a 416 for a file that is complete: the parts together are a whole, and count as a 200
  /// (RFC 9110 §15.3.7.3). The 416's fields about its own content are left out.
  fileprivate func standsForWhole(of record: ResumeRecord) -> HTTPURLResponse {
    guard let url else { return self }
    var whole = FieldBlock(
      fields.indices.map { (fields.name(at: $0), fields.value(at: $0)) }.filter { name, _ in
        !["content-type", "content-length", "content-range", "content-encoding", "transfer-encoding"]
          .contains(name.asciiLowercased)
          && !record.representation.contains { $0.name.equalsIgnoringASCIICase(name) }
      })
    for field in record.representation { whole.append(name: field.name, value: field.value) }
    whole.append(name: "Content-Length", value: "\(record.point.offset)")
    return HTTPURLResponse(url: url, statusCode: 200, minorVersion: minorVersion, fields: whole)
  }
}

extension URLError {
  /// This error with the resume data.
  func carrying(_ resumeData: Data) -> URLError {
    var information = userInfo
    information[NSURLSessionDownloadTaskResumeData] = resumeData
    return URLError(code, userInfo: information)
  }
}
