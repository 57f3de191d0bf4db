// SPDX-License-Identifier: MIT

/// A response as it came, taken apart by the plainest means.
public struct RawResponse {
  /// The status code.
  public var status = 0
  /// The field lines.
  public var fields: [(name: String, value: String)] = []
  /// The body without its framing.
  public var body: [UInt8] = []
  /// Whether its end was seen.
  public var isComplete = false

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The first value of a field.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension RawSocket {
  /// Sends a request with a Host field and receives the response.
  public func exchange(
    _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8] = []
  ) throws -> RawResponse {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: origin.test\r\n"
    for field in fields { head += field + "\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
    try send(Array((head + "\r\n").utf8) + body)
    return try receiveResponse(toHead: method == "HEAD")
  }

  /// Receives a response, by the plainest reading of its framing fields.
  public func receiveResponse(toHead: Bool = false) throws -> RawResponse {
    var response = try receiveHead()
    if toHead || response.status == 204 || response.status == 304 || response.status < 200 {
      response.isComplete = true
    } else if response["Transfer-Encoding"] == "chunked" {
      try receiveChunks(into: &response)
    } else if let length = response["Content-Length"].flatMap(Int.init) {
      while pending.count < length, receive() == nil {}
      response.body = Array(pending.prefix(length))
      pending.removeFirst(response.body.count)
      response.isComplete = response.body.count == length
    } else {
      let rest = receiveAll()
      response.body = rest.bytes
      response.isComplete = rest.ending == .closed
    }
    return response
  }

  private func receiveHead() throws -> RawResponse {
    let lines = try receiveLines()
    let start = lines[0].split(separator: " ")
    guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else {
      throw Failure(call: "status line: \(lines[0])")
    }
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
    }
    return RawResponse(status: status, fields: fields)
  }

  private func receiveLines() throws -> [String] {
    var lines: [String] = []
    while true {
      let line = try receiveLine()
      if line.isEmpty { return lines }
      lines.append(line)
    }
  }

  private func receiveLine() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        guard end > 0, pending[end - 1] == 0x0D else { throw Failure(call: "a line without CR") }
        return String(decoding: pending[..<(end - 1)], as: UTF8.self)
      }
      if let ending = receive() { throw Failure(call: "recv: \(ending) inside a line") }
    }
  }

  private func receiveChunks(into response: inout RawResponse) throws {
    while true {
      guard let size = Int(try receiveLine(), radix: 16) else { throw Failure(call: "chunk size") }
      while pending.count < size + 2 {
        if receive() != nil { return }
      }
      response.body += pending[..<size]
      pending.removeFirst(size + 2)
      if size == 0 {
        response.isComplete = true
        return
      }
    }
  }
}
