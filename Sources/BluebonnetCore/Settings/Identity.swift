// SPDX-License-Identifier: MIT
import BluebonnetTLS

extension HTTPClient {
  /// A client certificate and its key.
  public struct Identity: Sendable {
    let tls: TLSIdentity

    /// Reads an identity.
    ///
    /// - Parameters:
    ///   - certificates: A PEM text: the client's own certificate first, then those that lead to its authority.
    ///   - key: The PEM text of the key.
    ///   - password: Opens an encrypted key. Default: nil.
    /// - Throws: ``HTTPClientError/Code/invalidConfiguration`` if one of them cannot be read, or the key is another certificate's.
    public init(
      certificates: [UInt8], key: [UInt8], password: String? = nil
    ) throws(HTTPClientError) {
      do throws(TLSError) {
        tls = try TLSIdentity(certificates: certificates, key: PrivateKey(encoded: key, password: password))
      } catch {
        throw .invalidConfiguration("identity", "\(error)")
      }
    }
  }
}
