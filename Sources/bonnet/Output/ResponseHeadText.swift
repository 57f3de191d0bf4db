// SPDX-License-Identifier: MIT
import Bluebonnet

/// The head of a response, as it is shown.
enum ResponseHeadText {
  /// The lines as they were received, each with its end, and the empty one.
  static func rawLines(of response: HTTPURLResponse) -> [[UInt8]] {
    let bytes =
      response.receivedHead.map { Array($0) }
      ?? Array((lines(of: response) + [""]).map { $0 + "\r\n" }.joined().utf8)
    return rawLines(bytes)
  }

  /// The lines, each with its end.
  static func rawLines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x0A {
      lines.append(Array(bytes[start...index]))
      start = index + 1
    }
    if start < bytes.count { lines.append(Array(bytes[start...])) }
    return lines
  }

  /// The lines without their ends and without the empty one.
  static func lines(of response: HTTPURLResponse) -> [String] {
    guard let head = response.receivedHead else {
      return ["HTTP/1.\(response.minorVersion) \(response.statusCode)"]
        + response.headers.map { "\($0.name): \($0.value)" }
    }
    return ByteText.lines(head)
  }

  /// Names and values.
  static func fields(of response: HTTPURLResponse) -> [(name: String, value: String)] {
    lines(of: response).dropFirst().compactMap { line in
      ByteText.halves(line, at: ":").map { ($0.before, ByteText.trimmed($0.after)) }
    }
  }
}

extension ResponseHeadText {
  /// A status that is an error, and how the server wants to be answered if that is the matter.
  ///
  /// - Parameter methods: The authentication that was asked for.
  static func failure(of response: HTTPURLResponse, to methods: AuthenticationOptions.Methods) -> String {
    let status = response.statusCode
    let answer = "the server answered \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
    guard status == 401, methods == .basic else { return answer }
    let schemes = response.demandedAuthenticationSchemes.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !schemes.isEmpty, !schemes.contains("Basic") else { return answer }
    return answer + "; it wants \(schemes.joined(separator: " or ")) authentication, and -u gives Basic"
  }

  /// The values of fields of one name, byte for byte.
  static func values(_ name: String, of response: HTTPURLResponse) -> [String] {
    let name = name.lowercased()
    return fields(of: response).compactMap { $0.name.lowercased() == name ? $0.value : nil }
  }

  /// A line with its field name highlighted on a terminal, as in curl.
  static func styled(_ line: [UInt8]) -> [UInt8] {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), !line.starts(with: "HTTP/".utf8) else {
      return line
    }
    return Array("\u{1B}[1m".utf8) + line[..<colon] + Array("\u{1B}[0m".utf8) + line[colon...]
  }
}
