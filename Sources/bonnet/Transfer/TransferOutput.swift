// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc
import BluebonnetSemantics

/// The files that a transfer writes: the body, perhaps with heads in front of it, and the heads of `-D`.
struct TransferOutput: ~Copyable {
  private let plan: TransferPlan
  private var body: OutputFile
  private var heads: OutputFile
  /// Names of fields stand out among the body's bytes.
  private let stylesHeads: Bool

  init(_ plan: TransferPlan, body: consuming OutputFile, stylesHeads: Bool) {
    self.plan = plan
    self.body = body
    self.stylesHeads = stylesHeads
    // The operation's first transfer has emptied the file: from then on, heads go behind those that are there.
    let path = plan.operation.output.headPath
    heads = OutputFile(
      path.map { $0 == "-" ? .standardOutput : .path($0) } ?? .nowhere, existing: .continued)
  }

  /// Writes a head wherever that was asked for, line by line as it came.
  mutating func write(head lines: some Collection<[UInt8]>) throws(CommandError) {
    let includesHeads = plan.operation.output.includesHeads || plan.operation.request.asksForHead
    for line in lines {
      try heads.write(line)
      if includesHeads { try body.write(stylesHeads ? ResponseHeadText.styled(line) : line) }
    }
  }

  mutating func write(_ data: Data) throws(CommandError) { try body.write(data) }

  /// `-J`: the response says what its file is called.
  mutating func rename(by response: HTTPURLResponse) {
    guard plan.isNamedByResponse else { return }
    guard let field = ResponseHeadText.values("Content-Disposition", of: response).first,
      let name = Self.disposition(field)?.safeFilename ?? Self.plainFileName(in: field)
    else { return }
    let options = plan.operation.output
    body.rename(to: options.path(of: name), existing: options.existing(otherwise: .refused))
  }

  /// Some servers leave the type out, and begin with the name.
  private static func disposition(_ field: String) -> ContentDisposition? {
    let type = ByteText.halves(field, at: ";")?.before ?? field
    let hasType = !type.unicodeScalars.contains("=")
    return ContentDisposition(hasType ? field : "attachment; " + field)
  }

  /// A name that was written without the quotes that it needs, without the folders in front of it.
  private static func plainFileName(in field: String) -> String? {
    for part in ByteText.split(field, at: ";") {
      guard let (key, value) = ByteText.halves(part, at: "="),
        key.trimmingCharacters(in: .whitespaces).lowercased() == "filename"
      else { continue }
      // Scalars: an accent behind a slash makes another character of it, but no other path.
      let folders = value.trimmingCharacters(in: .whitespaces).unicodeScalars.split {
        $0 == "/" || $0 == "\\"
      }
      guard let last = folders.last.map({ String($0) }), last != ".", last != "..",
        !last.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
        last.unicodeScalars.first != "\""
      else { continue }
      return last
    }
    return nil
  }

  /// Closes the files at the end of the transfer, whole or not, and notes their names and states.
  mutating func finish(_ facts: inout TransferFacts, warn: (String) -> Void) {
    let options = plan.operation.output
    do throws(CommandError) {
      // An empty body makes an empty file, too, unless there was nothing to be had.
      if facts.error == nil, !facts.isUnmet, !body.isOpen { _ = try body.open() }
      try heads.close()
      if case .path(let path) = body.place { facts.fileName = path }
      if facts.error == nil, options.keepsBodyOfFailures, let response = facts.response,
        response.statusCode >= 400
      {
        facts.error = CommandError(
          .errorStatus,
          "\(plan.method) \(RedactedURL(facts.url).short): "
            + ResponseHeadText.failure(of: response, to: plan.operation.authentication.methods))
      }
      let wasOpen = body.isOpen
      facts.remains = body.remains
      try body.close()
      if facts.error == nil, wasOpen, options.takesRemoteTime { setDate(by: facts.response, warn) }
    } catch {
      if facts.error == nil { facts.error = error }
    }
  }

  private func setDate(by response: HTTPURLResponse?, _ warn: (String) -> Void) {
    guard case .path(let path) = body.place,
      let text = response?.value(forHTTPHeaderField: "Last-Modified"),
      let time = HTTPDate.parse(text, now: Int(BluebonnetLibc.time(nil)))
    else { return }
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
    if utimensat(AT_FDCWD, ByteText.path(path), times, 0) != 0 {
      warn("the date of \(path) cannot be set: \(SystemText.ofError())")
    }
  }
}
