// SPDX-License-Identifier: MIT
import BluebonnetTransport

extension URLSessionConnection {
  /// An attempt to connect to one of a host's addresses.
  ///
  /// The addresses are tried one after the other. Where one does not answer within the configuration's `connectionAttemptDelay`, the next
  /// one is tried beside it, and the first to answer is taken (RFC 8305).
  public struct Attempt: Sendable, Hashable, CustomStringConvertible {
    /// The address, as text without brackets, or the path of a Unix-domain socket.
    public let address: String
    /// The port; `nil` for a Unix-domain socket.
    public let port: Int?
    /// The reason why it failed, in the system's words, such as "Connection refused". `nil` if it was connected to, and if it had not
    /// answered when another address had, or when the time for connecting was over.
    public let failure: String?
    /// The address with the port.
    private let place: String

    init(_ tried: TriedAddress) {
      address = tried.address.host
      port = tried.address.port.map(Int.init)
      failure = tried.error?.reason
      place = tried.address.description
    }

    /// The address, the port and the reason: `[::1]:80: Connection refused`.
    public var description: String { failure.map { "\(place): \($0)" } ?? place }
  }
}

extension ConnectionFacts {
  var attempts: [URLSessionConnection.Attempt] {
    let tried = tried.isEmpty ? remoteAddress.map { [TriedAddress($0)] } ?? [] : tried
    return tried.map(URLSessionConnection.Attempt.init)
  }
}
