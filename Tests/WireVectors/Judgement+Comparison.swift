// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Vector {
  /// Expected and reached, as text, where they differ.
  func mismatch(_ reached: Reached) -> (expected: String, reached: String)? {
    let outcome = expect.outcome ?? "accept"
    let isCutOff = reached.rule == .truncatedHead || reached.rule == .truncatedBody
    let agrees =
      outcome == reached.outcome.rawValue || (outcome == "accept_or_incomplete" && reached.outcome != .reject)
      || (outcome == "incomplete" && eof == true && isCutOff)
    guard agrees else { return (outcome, reached.description) }
    if reached.outcome == .reject { return nil }
    if let difference = consensusDifference(reached) { return difference }
    return messagesDifference(reached)
  }

  private func consensusDifference(_ reached: Reached) -> (String, String)? {
    guard let status = expect.status else { return nil }
    guard let message = reached.messages.first else { return ("\(status)", "nothing") }
    if message.status != status { return ("status \(status)", "status \(message.status ?? 0)") }
    if let length = expect.body_length, message.body.count != length {
      return ("\(length) body bytes", "\(message.body.count)")
    }
    if let prefix = expect.body_sha1_prefix {
      let digest = SHA1.hexadecimal(message.body)
      if !digest.hasPrefix(prefix) { return ("body \(prefix)", "body \(digest.prefix(10))") }
    }
    return nil
  }

  private func messagesDifference(_ reached: Reached) -> (String, String)? {
    var remaining = expect.messages ?? []
    for transcript in reached.messages {
      // Suites count interim responses as messages, the parser as a prefix of the final one.
      for status in transcript.interim {
        guard let message = remaining.first, message.status == nil || message.status == status else { break }
        remaining.removeFirst()
      }
      guard let message = remaining.first else { break }
      remaining.removeFirst()
      if let difference = difference(transcript, message) { return difference }
    }
    // A message of which nothing but the beginning of a start line is there says nothing.
    if remaining.contains(where: { $0.headers_complete == true && !($0.complete ?? true) == false }) {
      return ("\(expect.messages?.count ?? 0) messages", reached.description)
    }
    return nil
  }

  private func difference(_ reached: Transcript, _ expected: Message) -> (String, String)? {
    if reached.hasHead, expected.headers_complete == true {
      if let method = expected.method, method != reached.method { return (method, reached.method ?? "-") }
      if let target = expected.target, target != reached.target { return (target, reached.target ?? "-") }
      if let status = expected.status, status != reached.status {
        return ("\(status)", "\(reached.status ?? 0)")
      }
      if let version = expected.version, version != "1.\(reached.minorVersion ?? -1)" {
        return ("version \(version)", "1.\(reached.minorVersion ?? -1)")
      }
      if let reason = expected.reason, Self.latin1(reason) != Array((reached.reason ?? "").utf8),
        reason != reached.reason
      {
        return ("reason '\(reason)'", "'\(reached.reason ?? "")'")
      }
      if let headers = expected.headers, comparable(Self.fields(headers)) != comparable(reached.fields) {
        return ("fields \(headers)", "\(Self.readable(reached.fields))")
      }
    }
    if isHeadOnly { return nil }
    if let body = expected.body_b64, Self.bytes(body) != reached.body {
      return ("body of \(Self.bytes(body).count) bytes", "\(reached.body.count)")
    }
    guard expected.complete == true, reached.verdict == .complete else { return nil }
    if let trailers = expected.trailers, Self.fields(trailers) != reached.trailers {
      return ("trailers \(trailers)", "\(Self.readable(reached.trailers))")
    }
    if let keepAlive = expected.keep_alive, keepAlive != reached.keepsConnection, !reached.isUpgraded {
      return ("keep-alive \(keepAlive)", "\(reached.keepsConnection)")
    }
    return nil
  }

  /// The files hold bytes as ISO 8859-1 text. Suites differ in whether they trim values, which has to be done.
  private static func fields(_ headers: [[String]]) -> [Transcript.Field] {
    headers.map { pair in
      let value = latin1(pair.count > 1 ? pair[1] : "")
      let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
      let start = value.firstIndex { !blank($0) } ?? value.endIndex
      let end = value.lastIndex { !blank($0) }.map { $0 + 1 } ?? start
      return Transcript.Field(name: latin1(pair.first ?? ""), value: Array(value[start..<end]))
    }
  }

  /// RFC 9112 §5.2 lets any number of spaces stand for a fold.
  private func comparable(_ fields: [Transcript.Field]) -> [Transcript.Field] {
    guard isLenient else { return fields }
    return fields.map { field in
      let words = field.value.split { $0 == 0x20 || $0 == 0x09 }
      return Transcript.Field(name: field.name, value: Array(words.joined(separator: [0x20])))
    }
  }

  private static func readable(_ fields: [Transcript.Field]) -> [[String]] {
    fields.map { [String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)] }
  }

  private static func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
