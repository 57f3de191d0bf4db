import Bluebonnet

/// The head of a response for `-i` and `-v`.
enum ResponseHeadText {
  /// As it was received, with the empty line at its end.
  static func bytes(of response: HTTPURLResponse) -> Data {
    response.receivedHead ?? Data((lines(of: response) + [""]).map { $0 + "\r\n" }.joined().utf8)
  }

  /// The lines without their ends and without the empty one.
  static func lines(of response: HTTPURLResponse) -> [String] {
    guard let head = response.receivedHead else {
      return ["HTTP/1.\(response.minorVersion) \(response.statusCode)"]
        + response.headers.map { "\($0.name): \($0.value)" }
    }
    return String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }
}
