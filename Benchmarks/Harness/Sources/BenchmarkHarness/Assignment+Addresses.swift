// SPDX-License-Identifier: MIT
extension Assignment {
  /// The URL at each of the addresses that the requests are spread over.
  public var addresses: [String] {
    (1...hosts).map { number in
      url.split(separator: "127.0.0.1", omittingEmptySubsequences: false)
        .joined(separator: "127.0.\(number / 250).\(number % 250 + 1)")
    }
  }
}
