import BluebonnetTransport

/// `CanonicalHost` for the layers that do not know the transport.
package enum HostName {
  /// The one form in which a host is compared, whichever spelling it comes in.
  ///
  /// - Throws: A reason for people, where it is no host.
  package static func canonical(_ spelling: String) throws -> String { try CanonicalHost(spelling).name }
}
