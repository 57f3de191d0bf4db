// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Foundation

@testable import BluebonnetTLS

/// A directory of files with anchors, which is gone when nobody needs it any more.
final class AnchorFolder {
  private let folder: URL

  init(prefix: String = "anchors-") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(prefix)\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  var path: String { folder.path }

  func path(of name: String) -> String { folder.appendingPathComponent(name).path }

  /// Writes a file, in place of one that there may be.
  func write(_ texts: [String], to name: String) throws {
    try Data(texts.joined(separator: "\n").utf8).write(
      to: folder.appendingPathComponent(name), options: .atomic)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
  }

  /// As `openssl rehash` names a certificate.
  static func hashedName(of certificate: Certificate) -> String {
    let hash = X509_NAME_hash_ex(X509_get_subject_name(certificate.x509), nil, nil, nil)
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + ".0"
  }
}

extension TrustAnchors {
  /// What a client with these anchors has against a server, found by a handshake.
  func objection(
    to identity: TLSIdentity, host: String = "localhost", isStrict: Bool = false
  ) throws -> TrustFailure? {
    let client = try TLSContext(
      client: TLSClientConfiguration(
        anchors: self, evaluatesOwnAnchorsStrictly: isStrict, verification: .manual))
    return try client.objection(to: identity, host: host)
  }
}

extension TLSContext {
  func objection(to identity: TLSIdentity, host: String = "localhost") throws -> TrustFailure? {
    let pair = try EnginePair(client: self, server: Shared.server(identity), host: host)
    try pair.handshake()
    return pair.client.serverTrust?.failure
  }
}
