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

  static func body(of url: String, _ options: String...) throws -> [UInt8] {
    var words = ["--silent", "--show-error", "--compressed", "--location", "--max-time", "20"]
    for (name, value) in headers { words += ["--header", "\(name): \(value)"] }
    if let authority = RealServer.authority { words += ["--cacert", authority] }
    return try Program("curl").run(words + options + [url]).output
  }
}
