import Bluebonnet

/// What `--pinnedpubkey` says of a server's key.
enum KeyPin: Hashable, Sendable {
  /// The SHA-256 of its `SubjectPublicKeyInfo`.
  case sha256(Data)
  /// The `SubjectPublicKeyInfo` itself, in DER.
  case key(Data)

  private static let mark = "sha256//"

  /// `sha256//BASE64;sha256//BASE64`, or a file with a key in PEM or DER.
  static func pins(
    _ text: String, read: (String) throws(CommandError) -> [UInt8]
  ) throws(CommandError) -> [KeyPin] {
    guard text.hasPrefix(mark) else { return [.key(try key(read(text)))] }
    var pins: [KeyPin] = []
    for word in text.split(separator: ";") {
      guard word.hasPrefix(mark), let hash = Data(base64Encoded: String(word.dropFirst(mark.count))),
        hash.count == 32
      else { throw CommandError(.usage, "a hash of 32 bytes in Base64 is expected behind \(mark)") }
      pins.append(.sha256(hash))
    }
    return pins
  }

  private static func key(_ bytes: [UInt8]) throws(CommandError) -> Data {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN PUBLIC KEY") }) else {
      return Data(bytes)
    }
    let body = lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined()
    guard let key = Data(base64Encoded: body) else {
      throw CommandError(.badPin, "the public key is not written as PEM has it")
    }
    return key
  }

  func fits(_ certificate: SecCertificate) -> Bool {
    switch self {
    case .sha256(let hash): hash == certificate.subjectPublicKeyInfoSHA256
    case .key(let key): key == certificate.subjectPublicKeyInfo
    }
  }
}
