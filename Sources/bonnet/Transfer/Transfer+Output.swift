import Bluebonnet
import BluebonnetSemantics
import Glibc

extension Transfer {
  /// Shows a head wherever that was asked for, line by line as it came.
  func show(_ response: HTTPURLResponse) { show(ResponseHeadText.rawLines(of: response)) }

  func show(_ lines: some Collection<[UInt8]>) {
    let options = plan.operation.output
    let isStyled =
      context.writesToTerminal && plan.place == .standardOutput && context.globals.stylesHeads
    let includesHead = options.includesHeads || plan.operation.request.asksForHead
    let error = state.withLock { state -> CommandError? in
      state.facts.headBytes += lines.reduce(0) { $0 + $1.count }
      do throws(CommandError) {
        for line in lines {
          try state.heads.write(line)
          if includesHead { try state.output.write(isStyled ? ResponseHeadText.styled(line) : line) }
        }
      } catch {
        return error
      }
      return nil
    }
    if context.trace.isOn { for line in lines { context.trace.tell(.headIn, line) } }
    if let error { fail(error) }
  }

  func write(_ data: Data) {
    let error = state.withLock { state -> CommandError? in
      guard state.facts.error == nil else { return nil }
      var error: CommandError?
      data.withUnsafeBytes { bytes in
        do throws(CommandError) { try state.output.write(bytes) } catch let failure { error = failure }
      }
      return error
    }
    if let error { fail(error) }
  }

  /// `-J`: the response says what its file is called.
  func nameOutput(by response: HTTPURLResponse) {
    guard plan.isNamedByResponse else { return }
    guard let field = ResponseHeadText.values("Content-Disposition", of: response).first,
      let name = Self.disposition(field)?.safeFilename ?? Self.plainFileName(in: field)
    else { return }
    let path = TransferPlanner.inDirectory(name, plan.operation)
    state.withLock {
      $0.output.rename(to: path, existing: plan.operation.output.overwrites == true ? .overwritten : .refused)
    }
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

  /// The work once everything has been received, or nothing more will be.
  func conclude() {
    state.withLock { state in
      state.facts.end = .now
      do throws(CommandError) {
        // An empty body makes an empty file, too, unless there was nothing to be had.
        if state.facts.error == nil, !state.facts.isUnmet, !state.output.isOpen {
          _ = try state.output.open()
        }
        try state.heads.close()
        if case .path(let path) = state.output.place { state.facts.fileName = path }
        if state.facts.error == nil, plan.operation.output.keepsBodyOfFailures,
          let response = state.facts.response, response.statusCode >= 400
        {
          state.facts.error = CommandError(
            .errorStatus, "\(plan.method) \(RedactedURL(state.facts.url).short): \(Self.answer(response))")
        }
        if state.facts.error != nil, plan.operation.output.removesOnError { state.output.remove() }
        let wasOpen = state.output.isOpen
        state.facts.remains = state.output.remains
        try state.output.close()
        if state.facts.error == nil, wasOpen { try keepFacts(&state) }
      } catch {
        if state.facts.error == nil { state.facts.error = error }
      }
    }
  }

  private func keepFacts(_ state: inout State) throws(CommandError) {
    if plan.operation.output.takesRemoteTime, case .path(let path) = state.output.place,
      let text = state.facts.response?.value(forHTTPHeaderField: "Last-Modified"),
      let time = HTTPDate.parse(text, now: Int(Glibc.time(nil)))
    {
      let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
      guard utimensat(AT_FDCWD, ByteText.path(path), times, 0) == 0 else {
        return context.reporter.warn("the date of \(path) cannot be set: \(SystemText.ofError())")
      }
    }
  }

  /// Keeps the entity tag where `--etag-save` says.
  static func keep(_ tag: String, at path: String) throws(CommandError) {
    var file = OutputFile(path == "-" ? .standardOutput : .path(path))
    if tag.isEmpty { _ = try file.open() } else { try file.write(tag + "\n") }
    try file.close()
  }
}

extension OutputFile {
  mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    var commandError: CommandError?
    bytes.withUnsafeBytes { bytes in
      do throws(CommandError) { try write(bytes) } catch { commandError = error }
    }
    if let commandError { throw commandError }
  }
}
