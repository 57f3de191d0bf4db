// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetSemantics
import CBluebonnetGSSAPI

/// One security context with a service (RFC 4559 §4), which the library makes in steps. Steps may ask a Kerberos server, and
/// take as long as that takes.
final class NegotiateContext: Sendable {
  /// The outcome of one step of the library.
  struct Outcome: Sendable {
    /// The token for the server; empty for none.
    let token: [UInt8]
    /// Both sides are authenticated.
    let isComplete: Bool
  }

  private struct State: Sendable {
    /// The library's object, as a number because no other code may touch it.
    var context = 0
    var isComplete = false
  }

  private let library: GSSLibrary
  private let service: String
  private let state = Locked(State())

  /// - Parameter host: The server as the caller named it; its service is `HTTP@host`.
  init(host: String) throws(AuthenticationFault) {
    library = try GSSLibrary.shared.get()
    service = "HTTP@\(host)"
  }

  deinit {
    state.withLock { state in
      var context = UnsafeMutableRawPointer(bitPattern: state.context)
      var minor: UInt32 = 0
      guard context != nil else { return }
      // At the process's end it goes with everything else.
      ExitGate.shared.pass { _ = library.deleteSecContext(&minor, &context, nil) }
    }
  }

  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Takes what the server has said, empty at first, and says what it is to be told.
  func step(_ input: [UInt8]) -> Result<Outcome, AuthenticationFault> {
    ExitGate.shared.pass { take(input) }
      ?? .failure(AuthenticationFault(.unsupported, .negotiate, "the process is ending"))
  }

  /// The same, for a field's value.
  func field(after input: [UInt8]) -> AuthenticationProof.Work {
    { [self] in step(input).map { FieldValue("Negotiate " + Base64.encode($0.token)) } }
  }

  private func take(_ input: [UInt8]) -> Result<Outcome, AuthenticationFault> {
    state.withLock { state in
      var minor: UInt32 = 0
      var target: UnsafeMutableRawPointer?
      let named = with(Array(service.utf8)) { name in
        withUnsafeObject(of: GSSObject.hostBasedService) { library.importName(&minor, name, $0, &target) }
      }
      guard named & GSSObject.errors == 0 else { return .failure(fault(named, minor)) }
      defer { _ = library.releaseName(&minor, &target) }
      var context = UnsafeMutableRawPointer(bitPattern: state.context)
      var output = bluebonnet_gss_buffer(length: 0, value: nil)
      var granted: UInt32 = 0
      let status = with(input) { input in
        withUnsafeObject(of: GSSObject.spnego) { mechanism in
          library.initSecContext(
            &minor, nil, &context, target, mechanism, GSSObject.mutual, 0, nil,
            input.pointee.length == 0 ? nil : input, nil, &output, &granted, nil)
        }
      }
      state.context = Int(bitPattern: context)
      let code = minor
      let token = Array(UnsafeRawBufferPointer(start: output.value, count: output.length))
      _ = library.releaseBuffer(&minor, &output)
      guard status & GSSObject.errors == 0 else { return .failure(fault(status, code)) }
      state.isComplete = status & GSSObject.continueNeeded == 0
      if state.isComplete, granted & GSSObject.mutual == 0 {
        return .failure(
          AuthenticationFault(
            .mutualAuthenticationFailed, .negotiate,
            "mutual authentication is required, and the server's Kerberos does not offer it"))
      }
      return .success(Outcome(token: token, isComplete: state.isComplete))
    }
  }

  private func fault(_ status: UInt32, _ minor: UInt32) -> AuthenticationFault {
    let reasons = [text(status, kind: GSSObject.majorKind), text(minor, kind: GSSObject.minorKind)]
    let reason = reasons.filter { !$0.isEmpty }.joined(separator: ": ")
    return AuthenticationFault(.unsupported, .negotiate, "Kerberos has no proof for \(service): \(reason)")
  }

  /// The library's words for a status.
  private func text(_ status: UInt32, kind: Int32) -> String {
    var (minor, more): (UInt32, UInt32) = (0, 0)
    var text = bluebonnet_gss_buffer(length: 0, value: nil)
    guard library.displayStatus(&minor, status, kind, nil, &more, &text) & GSSObject.errors == 0 else {
      return ""
    }
    defer { _ = library.releaseBuffer(&minor, &text) }
    return String(
      decoding: UnsafeRawBufferPointer(start: text.value, count: Swift.min(text.length, 1_000)), as: UTF8.self
    )
  }

  /// Lends bytes to the library, which does not change its input.
  private func with<Result>(
    _ bytes: [UInt8], _ use: (UnsafeMutablePointer<bluebonnet_gss_buffer>) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      var buffer = bluebonnet_gss_buffer(
        length: bytes.count, value: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      return use(&buffer)
    }
  }

  private func withUnsafeObject<Result>(
    of name: [UInt8], _ use: (UnsafeMutablePointer<bluebonnet_gss_oid>) -> Result
  ) -> Result {
    name.withUnsafeBytes { name in
      var object = bluebonnet_gss_oid(
        length: UInt32(name.count), elements: UnsafeMutableRawPointer(mutating: name.baseAddress))
      return use(&object)
    }
  }
}
