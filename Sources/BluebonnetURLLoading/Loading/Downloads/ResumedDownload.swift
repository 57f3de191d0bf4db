// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetSemantics

/// The start of a resumed task: the resume data, and the part of the file that they name.
package final class ResumedDownload: Sendable {
  /// As the caller gave them.
  package let data: Data
  let record: Result<ResumeRecord, ResumeRecordError>
  private let opening = Locked(Opening())

  private struct Opening {
    /// The request that asks for the rest, or for the whole if the part is gone.
    var request: URLRequest?
    /// Until the load takes it.
    var part: PartialFiles.Part?
    /// The task has ended before it began.
    var isDropped = false

    /// Opens the part, unless it is open or no longer wanted.
    mutating func open(_ record: ResumeRecord) throws(POSIXError) {
      guard part == nil, !isDropped else { return }
      part = try PartialFiles.open(
        record.location, at: record.point.offset, in: FileManager.default.temporaryDirectory)
    }
  }

  init(_ data: Data) {
    self.data = data
    record = Result { () throws(ResumeRecordError) in
      let record = try ResumeRecord(bytes: data)
      guard URL(string: record.url) != nil else { throw .damaged("the address is no URL") }
      return record
    }
  }

  deinit {
    // It was not taken.
    if let part = opening.withLock({ $0.part }) { part.close() }
  }

  /// The request of the earlier download; nil if the data are none.
  var request: URLRequest? {
    guard let record = try? record.get(), let url = URL(string: record.url) else { return nil }
    var request = URLRequest(url: url)
    if let timeout = record.timeout { request.timeoutInterval = TimeInterval(timeout) / 1000 }
    request.httpShouldHandleCookies = record.handlesCookies
    request.headerFields = record.fields
    return request
  }

  /// Why the data are none; nil if they are.
  var refusal: URLError? {
    guard case .failure(let error) = record else { return nil }
    return RefusedSetting.resumption("was given resume data that \(error)").error(for: nil)
  }

  /// Looks for the part, and makes the request that asks for the rest. Not in loop context: a file is opened.
  ///
  /// - Throws: `URLError` if the data are none, where the request does not ask for a whole, or if there is no descriptor to look
  ///   with.
  func asking(_ request: URLRequest) throws(URLError) -> URLRequest {
    guard let record = try? record.get() else { throw refusal ?? URLError(.badURL) }
    guard Self.asksForWhole(request) else {
      throw RefusedSetting.resumption("was given a request that is no plain GET of the whole")
        .error(for: request.url)
    }
    do throws(POSIXError) {
      return try opening.withLock { (opening) throws(POSIXError) in
        var request = request
        try opening.open(record)
        if opening.part != nil { request.ask(for: record.point) }
        opening.request = request
        return request
      }
    } catch {
      // The part may well be there, and is not to be loaded again for this.
      throw URLError.loading(
        .cannotOpenFile, url: request.url, phase: .preparing,
        reason: "the part of an earlier download: \(String(cString: strerror(error.code.rawValue)))",
        cause: error
      ).carrying(data)
    }
  }

  private static func asksForWhole(_ request: URLRequest) -> Bool {
    request.httpMethod ?? "GET" == "GET" && request.httpBody == nil && request.httpBodyStream == nil
      && !ResumablePart.isConditional(request.headerFields)
  }

  /// Opens the part, if it is there, for `asking` to find. Not in loop context.
  ///
  /// - Returns: false if there is no descriptor to open it with.
  func openPart(for request: URLRequest) -> Bool {
    // What `asking` refuses in any case.
    guard let record = try? record.get(), Self.asksForWhole(request) else { return true }
    return opening.withLock { opening in
      do {
        try opening.open(record)
        return true
      } catch {
        return false
      }
    }
  }

  /// The task has ended before it began.
  func drop() {
    let part = opening.withLock { opening in
      opening.isDropped = true
      return opening.part.take()
    }
    part?.close()
  }

  /// Hands over what `asking` has found, once.
  func take() -> (request: URLRequest?, part: PartialFiles.Part?) {
    opening.withLock { opening in (opening.request, opening.part.take()) }
  }
}

extension URLRequest {
  /// Asks for the missing rest.
  mutating func ask(for point: ResumePoint) {
    for field in point.fields { setValue(field.value, forHTTPHeaderField: field.name) }
  }

  /// Asks for the whole again.
  var forTheWhole: URLRequest {
    var request = self
    request.setValue(nil, forHTTPHeaderField: "Range")
    request.setValue(nil, forHTTPHeaderField: "If-Range")
    return request
  }
}
