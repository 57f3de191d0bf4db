// SPDX-License-Identifier: MIT
import Bluebonnet

/// The pins of `--pinnedpubkey` for a server's key.
enum KeyPin: Hashable, Sendable {
  /// The SHA-256 of its `SubjectPublicKeyInfo`.
  case sha256(Data)
  /// The `SubjectPublicKeyInfo` itself, in DER.
  case key(Data)
  /// Text that is no key and no hash, or cannot be read: no server's key is that one.
  case none

  private static let mark = "sha256//"

  /// `sha256//BASE64;sha256//BASE64`, or a file with a key in PEM or DER.
  static func pins(_ text: String, read: (String) throws(CommandError) -> [UInt8]) -> [KeyPin] {
    guard text.hasPrefix(mark) else {
      let bytes = try? read(text)
      return [bytes.flatMap(key).map(KeyPin.key) ?? .none]
    }
    return text.split(separator: ";").map { word in
      guard word.hasPrefix(mark), let hash = Data(base64Encoded: String(word.dropFirst(mark.count))),
        hash.count == 32
      else { return .none }
      return .sha256(hash)
    }
  }

  private static func key(_ bytes: [UInt8]) -> Data? {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN PUBLIC KEY") }) else {
      return Data(bytes)
    }
    return Data(base64Encoded: lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined())
  }

  func fits(_ certificate: SecCertificate) -> Bool {
    switch self {
    case .sha256(let hash): hash == certificate.subjectPublicKeyInfoSHA256
    case .key(let key): key == certificate.subjectPublicKeyInfo
    case .none: false
    }
  }
}
