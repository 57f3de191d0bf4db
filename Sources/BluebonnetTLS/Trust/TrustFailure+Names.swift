// SPDX-License-Identifier: MIT
extension TrustFailure {
  /// At most so many names of a certificate are told: it may have thousands.
  private static let nameLimit = 4
  /// A host name has at most 253 characters (RFC 1035 §2.3.4); more of one tells nothing.
  private static let nameLength = 253

  /// Adds the names that a certificate has to the text of a mismatch.
  ///
  /// - Parameters:
  ///   - certificate: The server's own; nil if it is not known.
  ///   - host: The name that was asked for.
  func naming(_ certificate: @autoclosure () -> Certificate?, for host: String?) -> TrustFailure {
    guard reason == .wrongHost, let host, let certificate = certificate() else { return self }
    let names = certificate.alternativeNames.map { Self.printable($0.description) }
    let told =
      names.isEmpty
      ? "the certificate has no name of a host"
      : "the certificate is for \(Self.list(names)), not for \(host)"
    return TrustFailure(reason: reason, code: code, text: "\(text): \(told)")
  }

  private static func list(_ names: [String]) -> String {
    guard names.count <= nameLimit else {
      return "\(names[..<nameLimit].joined(separator: ", ")) and \(names.count - nameLimit) more"
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Names come from the network, and end on terminals and in logs.
  private static func printable(_ name: String) -> String {
    String(
      decoding: name.utf8.prefix(nameLength).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
