// SPDX-License-Identifier: MIT
import Bluebonnet

/// A form on its way to be a body. It can be made any number of times.
struct FormBody: Equatable, Sendable {
  let boundary: String
  /// As the user states it, or the usual one.
  let type: String
  /// The type names the boundary already.
  private let statesBoundary: Bool
  let parts: [FormPart]
  /// `--form-escape`: quotes and backslashes in names have a backslash in front, instead of escapes for the quotes.
  var escapesByBackslash = false

  /// As long as curl's, so that a body has the length that scripts may know.
  ///
  /// - Parameter type: A boundary in it is the form's.
  init(_ parts: [FormPart], type: String = "multipart/form-data") {
    self.parts = parts
    self.type = type
    let stated = Self.boundary(in: type)
    statesBoundary = stated != nil
    boundary = stated ?? newBoundary()
  }

  private static func boundary(in type: String) -> String? {
    for parameter in type.split(separator: ";").dropFirst() {
      let halves = parameter.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard halves.count == 2, halves[0].lowercased() == "boundary" else { continue }
      let value = halves[1].trimmingCharacters(in: .init(charactersIn: "\""))
      return value.isEmpty ? nil : value
    }
    return nil
  }

  var contentType: String { statesBoundary ? type : "\(type); boundary=\(boundary)" }

  /// Parts of other kinds of messages are no fields of a form.
  private var isForm: Bool {
    type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() == "multipart/form-data"
  }

  /// Bytes of all contents, without what stands around them.
  var contentLength: Int { Self.contentLength(of: parts) }

  private static func contentLength(of parts: [FormPart]) -> Int {
    parts.reduce(0) { sum, part in
      switch part.content {
      case .body(let body): sum + body.length
      case .parts(let inner, _): sum + contentLength(of: inner)
      }
    }
  }

  /// The form as the package encodes it.
  func made() throws(CommandError) -> MultipartFormData {
    try form(parts, boundary: boundary, isNested: !isForm)
  }

  private func form(
    _ parts: [FormPart], boundary: String, isNested: Bool
  ) throws(CommandError) -> MultipartFormData {
    let form = MultipartFormData(boundary: boundary)
    for part in parts { try append(part, to: form, isNested: isNested) }
    return form
  }

  private func append(
    _ part: FormPart, to form: MultipartFormData, isNested: Bool
  ) throws(CommandError) {
    var type = part.type
    var body: BodyPlan
    switch part.content {
    case .body(let content): body = content
    case .parts(let inner, let subtype):
      let boundary = newBoundary()
      type = "multipart/\(subtype); boundary=\(boundary)"
      let nested = try self.form(inner, boundary: boundary, isNested: subtype != "form-data")
      do {
        body = BodyPlan(Array(try nested.encode()))
      } catch {
        throw CommandError(.readFailed, "the form cannot be made: \(error.localizedDescription)")
      }
    }
    var headers = MultipartFormData.headers(
      disposition: isNested ? "attachment" : "form-data", name: part.name, fileName: part.fileName,
      mimeType: type)
    // Within another part it says nothing without a name.
    if isNested, part.name == nil, part.fileName == nil { headers.remove(name: "Content-Disposition") }
    if escapesByBackslash, let disposition = headers.value(for: "Content-Disposition") {
      let kind = disposition.prefix { $0 != ";" }
      headers.update(name: "Content-Disposition", value: kind + Self.parameters(of: part))
    }
    if let encoder = part.encoder {
      headers.add(name: "Content-Transfer-Encoding", value: encoder.rawValue)
      body = try encoder.encoded(body)
    }
    for line in part.fields {
      guard let (name, rest) = ByteText.halves(line, at: ":") else { continue }
      headers.add(name: name, value: ByteText.trimmed(rest, keepsEnd: true))
    }
    form.append(BodyStream(body), withLength: UInt64(body.length), headers: headers)
  }
}

extension FormBody {
  /// The names of a part with backslashes in front of quotes and backslashes.
  fileprivate static func parameters(of part: FormPart) -> String {
    [("name", part.name), ("filename", part.fileName)].compactMap { name, value in
      guard let value else { return nil }
      var quoted = ""
      for character in value {
        if character == "\\" || character == "\"" { quoted.append("\\") }
        // A name cannot leave its line.
        if !character.isNewline { quoted.append(character) }
      }
      return "; \(name)=\"\(quoted)\""
    }.joined()
  }
}

/// As long as curl's.
private func newBoundary() -> String {
  let letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
  return String(repeating: "-", count: 24) + String((0..<22).compactMap { _ in letters.randomElement() })
}

extension FormPart.Encoder {
  /// A part that is said to be text of seven bits has to be.
  fileprivate func encoded(_ body: BodyPlan) throws(CommandError) -> BodyPlan {
    switch self {
    case .binary, .eightBit: return body
    case .sevenBit:
      guard let bytes = body.bytes, bytes.allSatisfy({ $0 < 0x80 }) else {
        throw CommandError(
          .readFailed, "-F: the encoder 7bit was given more than seven bits, or a large file")
      }
      return body
    case .base64:
      guard let bytes = body.bytes else {
        throw CommandError(.usage, "-F: the encoder base64 takes files of up to 1 MiB")
      }
      let text = Data(bytes).base64EncodedString(options: [
        .lineLength76Characters, .endLineWithCarriageReturn,
      ])
      return BodyPlan(Array(text.utf8))
    }
  }
}
