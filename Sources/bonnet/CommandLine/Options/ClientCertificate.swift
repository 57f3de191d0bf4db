// SPDX-License-Identifier: MIT
import Bluebonnet

/// The options `--cert`, `--key` and their kin: the identity for servers that ask.
struct ClientCertificate: Hashable, Sendable {
  /// The encoding of a file, as `--cert-type` and `--key-type` name it.
  enum Form: String, Sendable {
    case pem = "PEM"
    case der = "DER"
    case pkcs12 = "P12"
    /// The name is one for OpenSSL's providers, and no file's.
    case engine = "ENG"
  }

  var path: String?
  var form = "PEM"
  var keyPath: String?
  var keyForm = "PEM"
  var password: String?

  /// Takes `FILE[:PASSWORD]`, where `\:` and `\\` stand for `:` and `\`, and an address of PKCS #11 for itself.
  mutating func take(_ text: String) {
    if text.lowercased().hasPrefix("pkcs11:") {
      (path, form) = (text, Form.engine.rawValue)
      return
    }
    var name = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == ":" {
        password = String(rest)
        break
      }
      if scalar == "\\", let next = rest.first, next == ":" || next == "\\" {
        rest.removeFirst()
        name.append(next)
      } else {
        name.append(scalar)
      }
    }
    path = String(name)
  }

  /// Takes a file's name or a provider's address.
  mutating func takeKey(_ text: String) {
    keyPath = text
    if text.lowercased().hasPrefix("pkcs11:") { keyForm = Form.engine.rawValue }
  }

  /// The certificate for servers; nil without `--cert`.
  func credential(read: (String) throws(CommandError) -> [UInt8]) throws(CommandError) -> URLCredential? {
    guard let path, !path.isEmpty else { return nil }
    guard let form = Form(rawValue: form.uppercased()) else {
      throw failure("there is no kind of certificate '\(form)'")
    }
    if form == .engine { throw failure("certificates are read from files; only keys may be a provider's") }
    let certificate = try content(of: path, read)
    try check(certificate, form)
    // Without one of its own, it stands beside the certificate.
    let readsKey = readsKey(beside: form)
    let key = try readsKey ? content(of: keyPath ?? path, read) : certificate
    if readsKey { try check(key, Form(rawValue: keyForm.uppercased()) ?? .pem) }
    do throws(ClientIdentityError) {
      // As with curl, its own key is the one that counts.
      if form == .pkcs12 { return try URLCredential(pkcs12: certificate, password: password ?? "") }
      switch Form(rawValue: (keyPath == nil ? "PEM" : keyForm).uppercased()) {
      case .pem, .der:
        return try URLCredential(certificates: certificate, key: key, password: password)
      case .engine:
        return try URLCredential(certificates: certificate, keyURI: keyPath ?? "", password: password)
      case .pkcs12, nil: break
      }
    } catch {
      throw failure(error.reason)
    }
    throw failure("there is no kind of key '\(keyForm)'")
  }

  /// As with curl, a file is what it is said to be.
  private func check(_ content: Data, _ form: Form) throws(CommandError) {
    let isText = String(decoding: content, as: UTF8.self).contains("-----BEGIN ")
    if isText != (form == .pem) { throw failure("it is not written as \(form.rawValue)") }
  }

  private func readsKey(beside form: Form) -> Bool {
    keyPath != nil && form != .pkcs12 && [.pem, .der].contains(Form(rawValue: keyForm.uppercased()))
  }

  private func content(
    of path: String, _ read: (String) throws(CommandError) -> [UInt8]
  ) throws(CommandError) -> Data {
    do throws(CommandError) {
      return Data(try read(path))
    } catch {
      throw CommandError(.badClientCertificate, error.message)
    }
  }

  private func failure(_ reason: String) -> CommandError {
    CommandError(.badClientCertificate, "the client certificate in \(path ?? ""): \(reason)")
  }
}
