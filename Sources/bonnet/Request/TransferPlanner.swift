// SPDX-License-Identifier: MIT
import Bluebonnet

/// Makes transfers of operations: patterns are taken apart, names of files found.
struct TransferPlanner {
  let files: BodyFiles
  /// The length of a file; nil if there is none.
  let length: (String) -> Int?
  /// Numbers transfers.
  private(set) var next = 0
  /// No transfer of the operation has been planned yet.
  var isAtBeginningOfOperation = true

  init(files: BodyFiles, length: @escaping (String) -> Int?) {
    self.files = files
    self.length = length
  }

  /// The patterns of an operation's URLs, each with that of the files uploaded there. They are not spread out before it is
  /// needed.
  static func steps(of operation: Operation) throws(CommandError) -> [[URLPattern]] {
    guard !operation.urls.isEmpty else { throw CommandError(.usage, "no URL given") }
    var steps: [[URLPattern]] = []
    for (index, url) in operation.urls.enumerated() {
      let upload = index < operation.uploads.count ? operation.uploads[index] : nil
      var uploads = URLPattern(literal: "")
      if let upload { uploads = try pattern(upload, operation) }
      steps.append([try pattern(url, operation), uploads])
    }
    return steps
  }

  private static func pattern(_ text: String, _ operation: Operation) throws(CommandError) -> URLPattern {
    operation.takesURLsLiterally ? URLPattern(literal: text) : try URLPattern(text)
  }

  /// - Parameters:
  ///   - index: Which of the operation's URLs it is.
  ///   - upload: The file to send, or nil.
  mutating func plan(
    _ operation: Operation, _ index: Int, _ match: URLPattern.Match, upload: String?,
    warn: (String) -> Void
  ) throws(CommandError) -> TransferPlan {
    let number = next
    // Even if nothing comes of it.
    next += 1
    let request = operation.request
    var address = try RequestAddress(
      match.text,
      rules: .init(
        usualScheme: request.usualScheme, keepsDots: request.keepsDots, refusesUsers: request.refusesUsers,
        schemes: request.schemes))
    let content = try content(operation, upload: upload, warn: warn)
    if let upload { address.addFileName(upload) }
    if operation.content.putsDataIntoQuery, let data = operation.content.data {
      guard let bytes = data.bytes else { throw CommandError(.usage, "-G: a query is not that long") }
      try address.addQuery(ByteText.text(bytes))
    } else if let query = operation.content.query {
      try address.addQuery(query)
    }
    let (place, isRemotelyNamed) = try place(operation, index, match, address)
    var plan = TransferPlan(
      operation: operation, address: address, typed: match.text, number: number, content: content,
      place: place, isRemotelyNamed: isRemotelyNamed)
    plan.isFirstOfOperation = isAtBeginningOfOperation
    isAtBeginningOfOperation = false
    try resume(&plan, upload)
    plan.netrc = try netrc(operation.authentication)
    if let source = request.entityTagSource {
      // A file that is not there stands for a tag that nothing has.
      let tag = (try? files.read(source)).flatMap { ByteText.lines($0).first } ?? ""
      plan.entityTag = tag.isEmpty ? "\"\"" : tag
    }
    return plan
  }

  private func content(
    _ operation: Operation, upload: String?, warn: (String) -> Void
  ) throws(CommandError) -> RequestContent? {
    let content = operation.content
    let hasData = content.data != nil && !content.putsDataIntoQuery
    guard !hasData || content.parts.isEmpty else {
      throw CommandError(.usage, "-d and --json exclude -F")
    }
    guard !content.putsDataIntoQuery || content.data == nil || content.parts.isEmpty else {
      throw CommandError(.usage, "-d and --json exclude -F, with -G too")
    }
    let sends = hasData || !content.parts.isEmpty || upload != nil
    guard !sends || !operation.request.asksForHead else {
      throw CommandError(.usage, "-I sends no body; -d, -F and -T do")
    }
    if let upload {
      guard !hasData, content.parts.isEmpty else { throw CommandError(.usage, "-T excludes -d and -F") }
      if upload == "-" || upload == "." { return .standardInput }
      let body = try files.body(upload)
      return .upload(content.convertsLineEnds ? try body.withCRLF() : body)
    }
    if !content.parts.isEmpty {
      let type = operation.request.fields.lazy.compactMap { FieldLine($0) }
        .first { $0.name.lowercased() == "content-type" }?.value
      let parts = try FormGrammar.parts(content.parts, files: files, warn: warn)
      var form = type.map { FormBody(parts, type: $0) } ?? FormBody(parts)
      form.escapesByBackslash = content.escapesByBackslash
      return .form(form)
    }
    guard hasData, let data = content.data else { return nil }
    return .data(data, type: content.isJSON ? "application/json" : "application/x-www-form-urlencoded")
  }

  private func place(
    _ operation: Operation, _ index: Int, _ match: URLPattern.Match, _ address: RequestAddress
  ) throws(CommandError) -> (OutputFile.Place, isRemotelyNamed: Bool) {
    let wish: Operation.Output? =
      index < operation.outputs.count
      ? operation.outputs[index] : operation.namesAllRemotely ? .remoteName : nil
    switch wish {
    case nil: return (.standardOutput, false)
    case .file("-"): return (.standardOutput, false)
    case .file(let template): return (.path(operation.output.path(of: match.name(template))), false)
    case .remoteName:
      // Only the last segment, so that no URL can name a place elsewhere.
      let name = ByteText.split(address.shownPath, at: "/").last
      guard let name, !name.isEmpty, name != ".", name != ".." else {
        // The response may have one.
        if operation.output.usesHeaderName { return (.unnamed, true) }
        throw CommandError(.writeFailed, "the URL names no file; say where to with -o")
      }
      return (.path(operation.output.path(of: name)), true)
    }
  }

  /// The file of names and passwords, if it is to be looked at and is there.
  private func netrc(_ options: AuthenticationOptions) throws(CommandError) -> Netrc? {
    guard options.netrc != .none else { return nil }
    let file = options.netrcPath.map { URL(fileURLWithPath: $0) } ?? Netrc.defaultFile
    do {
      return try Netrc(contentsOf: file)
    } catch let error as POSIXError where error.code == .ENOENT {
      return nil
    } catch {
      throw CommandError(.readFailed, "cannot read \(file.path): \(error)")
    }
  }

  /// Finds out where to go on.
  private func resume(_ plan: inout TransferPlan, _ upload: String?) throws(CommandError) {
    switch plan.operation.request.resumption {
    case nil: return
    // From the first byte on there is nothing to go on with: what is there goes.
    case .at(let offset): plan.resumesAt = offset > 0 ? offset : nil
    case .automatic:
      // The length of an upload's present part is unknown.
      if upload == nil, case .path(let path) = plan.place {
        plan.resumesAt = length(path) ?? 0
      } else {
        plan.resumesAt = 0
      }
    }
    // The present file would be another than the one that the response names.
    guard upload != nil || plan.resumesAt == nil || !plan.isNamedByResponse else {
      throw CommandError(.usage, "-C and -J exclude each other")
    }
    guard upload != nil, let offset = plan.resumesAt, offset > 0 else { return }
    guard case .upload(let body) = plan.content else {
      throw CommandError(.badResume, "standard input cannot be gone on with")
    }
    plan.content = .upload(try body.dropping(offset))
  }
}
