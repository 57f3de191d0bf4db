import Bluebonnet
import BluebonnetHTTP1

/// The head of a response for `-i` and `-v`.
enum ResponseHeadText {
  /// As it was received, with the empty line at its end.
  static func bytes(of response: HTTPURLResponse) -> [UInt8] {
    response.fields.head ?? Array((lines(of: response) + [""]).map { $0 + "\r\n" }.joined().utf8)
  }

  /// The lines without their ends and without the empty one.
  static func lines(of response: HTTPURLResponse) -> [String] {
    guard let head = response.fields.head else {
      return ["HTTP/1.\(response.minorVersion) \(response.statusCode)"]
        + response.fields.map { "\($0.name): \($0.value)" }
    }
    return String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }
}
