// SPDX-License-Identifier: MIT

/// The client's side of asking a SOCKS proxy for a connection (SOCKS 4, its extension 4A, RFC 1928 and RFC 1929).
///
///     4, 4a   start ─▶ reply ────────────────────────────────────────────────▶ done
///     5       start ─▶ method ─▶ (credentials ─▶) reply ─▶ its address ─▶ done
///
/// A value without I/O: `start` is sent first, and `receive` gives the next bytes. It takes no byte that is not the
/// handshake's: those behind it belong to the connection that was asked for.
package struct SOCKSHandshake: Sendable {
  /// The next action.
  package enum Action: Hashable, Sendable {
    /// More has to come: `bytesWanted` of it at most.
    case needsMore
    /// Send this, then go on receiving.
    case send([UInt8])
    /// The proxy has connected. What comes now is the target's.
    case done
  }

  private enum State: Hashable {
    case reply4
    case method
    case credentials
    case reply5
    case done
    case failed(SOCKSError)
  }

  private let request: [UInt8]
  /// The message of RFC 1929, where there are credentials.
  private let proof: [UInt8]?
  private let isVersion4: Bool
  private var state: State
  /// Of the message that is being received.
  private var received: [UInt8] = []

  /// - Parameters:
  ///   - scheme: One of the SOCKS ones.
  ///   - credentials: Of SOCKS 4 only the name is sent.
  /// - Throws: `.unsayable` if the version has no words for the target or the credentials.
  package init(
    _ scheme: ProxyServer.Scheme, to target: SOCKSTarget, credentials: ProxyServer.Credentials?
  ) throws(SOCKSError) {
    switch scheme {
    case .socks4, .socks4a:
      isVersion4 = true
      request = try Self.request4(to: target, user: credentials?.user ?? "", mayName: scheme == .socks4a)
      proof = nil
      state = .reply4
    case .socks5, .socks5h:
      isVersion4 = false
      request = try Self.request5(to: target)
      proof = try credentials.map { (credentials) throws(SOCKSError) in try Self.proof(of: credentials) }
      state = .method
    case .http, .https: throw .unsayable("an HTTP proxy does not speak SOCKS")
    }
  }

  /// The first bytes to send.
  package var start: [UInt8] {
    if isVersion4 { return request }
    // RFC 1928 §3: none, and user and password.
    return proof == nil ? [5, 1, 0] : [5, 2, 0, 2]
  }

  /// The bytes that may be read without taking one that is not the handshake's; 0 when it is over.
  package var bytesWanted: Int {
    switch state {
    case .reply4: 8 - received.count
    case .method, .credentials: 2 - received.count
    case .reply5: length5 - received.count
    case .done, .failed: 0
    }
  }

  /// Takes the received bytes, up to the end of one message, and advances `consumed` past it.
  ///
  /// - Throws: The reason why the proxy does not let the connection through, again at each further call.
  package mutating func receive(_ input: Span<UInt8>, consumed: inout Int) throws(SOCKSError) -> Action {
    if case .failed(let error) = state { throw error }
    do throws(SOCKSError) {
      while consumed < input.count, bytesWanted > 0 {
        received.append(input[consumed])
        consumed += 1
        try check()
      }
    } catch {
      state = .failed(error)
      throw error
    }
    guard bytesWanted == 0, state != .done else { return state == .done ? .done : .needsMore }
    return next()
  }

  /// The proxy has ended the connection.
  package mutating func peerEnded() -> SOCKSError {
    if case .failed(let error) = state { return error }
    state = .failed(.closed)
    return .closed
  }

  /// The length of the reply of SOCKS 5, as far as it is known.
  private var length5: Int {
    guard received.count > 4 else { return 5 }
    return switch received[3] {
    case 1: 10
    case 4: 22
    default: 7 + Int(received[4])
    }
  }

  /// Each byte is looked at as it comes, so that it does not matter how they are cut.
  private func check() throws(SOCKSError) {
    let (index, byte) = (received.count - 1, received[received.count - 1])
    switch (state, index) {
    case (.reply4, 0):
      // Some send the version of the request.
      if byte != 0, byte != 4 { throw .malformed("the reply's version is \(byte), not 0") }
    case (.reply4, 1): if byte != 90 { throw .refused4(byte) }
    case (.method, 0), (.reply5, 0):
      if byte != 5 { throw .malformed("the reply's version is \(byte), not 5") }
    case (.method, 1):
      if byte == 0xFF { throw .noAcceptableMethod(hasCredentials: proof != nil) }
      guard byte == 0 || byte == 2 && proof != nil else {
        throw .malformed("it chose the method \(byte), which the client did not offer")
      }
    // The version of this message is 1, but some send 5, and it decides nothing.
    case (.credentials, 1): if byte != 0 { throw .wrongCredentials }
    case (.reply5, 1): if byte != 0 { throw .refused5(byte) }
    case (.reply5, 3):
      if ![1, 3, 4].contains(byte) { throw .malformed("there is no type of address \(byte)") }
    default: break
    }
  }

  /// A message is complete.
  private mutating func next() -> Action {
    let message = received
    received = []
    switch state {
    case .method where message[1] == 2:
      state = .credentials
      return .send(proof ?? [])
    case .method, .credentials:
      state = .reply5
      return .send(request)
    case .reply4, .reply5, .done, .failed:
      state = .done
      return .done
    }
  }
}

// MARK: - Requests

extension SOCKSHandshake {
  private static func request4(
    to target: SOCKSTarget, user: String, mayName: Bool
  ) throws(SOCKSError) -> [UInt8] {
    guard user.utf8.count <= 255, !user.utf8.contains(0) else {
      throw .unsayable("a user of SOCKS 4 has at most 255 bytes, none of them zero")
    }
    let head = [4, 1, UInt8(target.port >> 8), UInt8(truncatingIfNeeded: target.port)]
    switch target {
    case .address(let address, _) where !address.isIPv6: return head + address.bytes + user.utf8 + [0]
    case .address: throw .unsayable("SOCKS 4 has no words for an IPv6 address")
    case .name(let name, _):
      guard mayName else { throw .unsayable("SOCKS 4 has no words for a name") }
      guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else {
        throw .unsayable("a name has from 1 to 255 bytes")
      }
      // An invalid address says that a name follows.
      return head + [0, 0, 0, 1] + user.utf8 + [0] + name.utf8 + [0]
    }
  }

  /// RFC 1928 §4.
  private static func request5(to target: SOCKSTarget) throws(SOCKSError) -> [UInt8] {
    let port = [UInt8(target.port >> 8), UInt8(truncatingIfNeeded: target.port)]
    switch target {
    case .address(let address, _): return [5, 1, 0, address.isIPv6 ? 4 : 1] + address.bytes + port
    case .name(let name, _):
      guard (1...255).contains(name.utf8.count) else { throw .unsayable("a name has from 1 to 255 bytes") }
      return [5, 1, 0, 3, UInt8(name.utf8.count)] + name.utf8 + port
    }
  }

  /// RFC 1929 §2.
  private static func proof(of credentials: ProxyServer.Credentials) throws(SOCKSError) -> [UInt8] {
    let (user, password) = (Array(credentials.user.utf8), Array(credentials.password.utf8))
    guard user.count <= 255, password.count <= 255 else {
      throw .unsayable("a user and a password of SOCKS 5 have at most 255 bytes each")
    }
    return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
  }
}
