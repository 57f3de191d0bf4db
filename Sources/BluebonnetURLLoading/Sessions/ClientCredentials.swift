// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// The certificates for servers that ask for one, by host: `URLSessionConfiguration.clientCredentials`, read once.
package struct ClientCredentials: Sendable {
  private var credentials: [HostPattern: URLCredential] = [:]
  private var forEveryHost: URLCredential?
  /// Why they cannot be honoured as they are written.
  private(set) var fault: String?

  init(_ stated: [String: URLCredential]) {
    // Sorted, so that nothing depends on the dictionary's order.
    for (key, credential) in stated.sorted(by: { $0.key < $1.key }) {
      if credential.clientIdentity == nil { fault = "holds a credential for \(key) that has no identity" }
      if key == "*" {
        forEveryHost = credential
        continue
      }
      do throws(HostPattern.Unusable) {
        let other = credentials.updateValue(credential, forKey: try HostPattern(key))
        // One of them would never be shown.
        if let other, other != credential {
          fault = "holds several credentials for \(key), in different spellings"
        }
      } catch {
        fault = "holds a credential for \"\(key)\", which no host can be: \(error)"
      }
    }
  }

  /// The identity for a host.
  func identity(for host: String) -> TLSIdentity? { credential(for: host)?.clientIdentity }

  /// The credential for a host.
  func credential(for host: String) -> URLCredential? {
    if credentials.isEmpty { return forEveryHost }
    for pattern in HostPattern.candidates(for: host) {
      if let found = credentials[pattern] { return found }
    }
    return forEveryHost
  }
}
