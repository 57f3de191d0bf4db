// SPDX-License-Identifier: MIT
import BluebonnetTestSupport

/// What curl makes of an address: the judge of what the right bytes are.
enum Curl {
  /// The headers that both sides send where the server echoes them.
  static let headers = [
    "Accept": "*/*",
    "Accept-Encoding": "br, gzip, deflate",
    "Accept-Language": "en",
    "User-Agent": "conformance",
  ]

  /// - Parameter echo: A body of ours in which the server tells the headers in the order they arrived in; curl then
  ///   sends them in the same one.
  static func body(of url: String, inOrderOf echo: [UInt8] = []) async throws -> [UInt8] {
    try await detached { try fetch(url, inOrderOf: echo) }
  }

  private static func fetch(_ url: String, inOrderOf echo: [UInt8]) throws -> [UInt8] {
    var words = ["--silent", "--show-error", "--compressed", "--location", "--max-time", "20"]
    for name in order(of: echo) { words += ["--header", "\(name): \(headers[name] ?? "")"] }
    if let authority = RealServer.authority { words += ["--cacert", authority] }
    return try Program("curl").run(words + [url]).output
  }

  static func order(of echo: [UInt8]) -> [String] {
    let text = String(decoding: echo, as: UTF8.self)
    func place(_ name: String) -> String.Index {
      text.firstRange(of: "\"\(name)\"")?.lowerBound ?? text.endIndex
    }
    return headers.keys.sorted { (place($0), $0) < (place($1), $1) }
  }
}
