// The code of the article *Revocation*, word for word; `RevocationRequestTests` runs its like against real responders.

import Bluebonnet
import BluebonnetFoundation

enum RevocationExamples {
  static func asking() -> Session {
    let careful = Session(
      serverTrustManager: ServerTrustManager(
        allHostsMustBeEvaluated: false,
        evaluators: ["pay.example.org": RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])]))
    return careful
  }

  static func listed() -> Session {
    let listed = URLSessionConfiguration.af.default
    listed.trustAnchors = .file(path: "/etc/my-service/authority.pem")
    listed.revocationListFiles = ["/var/lib/my-service/revoked.pem"]
    listed.requiresRevocationLists = true
    return Session(configuration: listed)
  }

  static func proxied() -> Session {
    let proxied = URLSessionConfiguration.af.default
    proxied.proxySelection = .environment
    proxied.revocationProxySelection = proxied.proxySelection
    return Session(configuration: proxied)
  }
}
