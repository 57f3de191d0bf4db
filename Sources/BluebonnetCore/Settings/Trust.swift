// SPDX-License-Identifier: MIT
import BluebonnetTLS

extension HTTPClient {
  /// The authorities that servers are verified against. A certificate that does not hold is never accepted.
  public struct Trust: Sendable {
    enum Source: Sendable {
      case system
      case file(String)
      case pem([UInt8])
    }

    let source: Source

    /// The system's authorities, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name. Where there are none, no `https`
    /// request works.
    public static let system = Trust(source: .system)

    /// The certificates of a PEM file, and no others. It is read by the first `https` request, which fails if it cannot be, and again
    /// when it has changed.
    public static func file(_ path: String) -> Trust { Trust(source: .file(path)) }

    /// The certificates of a PEM text, and no others. A damaged one, or none at all, makes no client.
    public static func pem(_ text: String) -> Trust { Trust(source: .pem(Array(text.utf8))) }

    /// The certificates of a PEM text as bytes, and no others. A damaged one, or none at all, makes no client.
    public static func pem(_ bytes: [UInt8]) -> Trust { Trust(source: .pem(bytes)) }
  }
}

extension HTTPClient.Trust {
  func anchors() throws(HTTPClientError) -> TrustAnchors {
    switch source {
    case .system: return .system
    case .file(let path): return .file(path)
    case .pem(let bytes):
      do throws(TLSError) {
        return .certificates(try Certificate.bundle(pem: bytes))
      } catch {
        throw .invalidConfiguration("trust", "\(error)")
      }
    }
  }
}
