// SPDX-License-Identifier: MIT

// The code of the article *Revocation*, word for word. `TrustExamplesTests` runs it, but for the proxies: `RevocationProxyTests` has their
// like.

import Bluebonnet
import BluebonnetFoundation

enum RevocationExamples {
  static func asking(_ configuration: URLSessionConfiguration) -> Session {
    let careful = Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(
        allHostsMustBeEvaluated: false,
        evaluators: ["pay.example.org": RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])]))
    return careful
  }

  static func listed(_ authority: String, _ list: String) -> Session {
    let listed = URLSessionConfiguration.af.default
    listed.trustAnchors = .file(path: authority)
    listed.revocationListFiles = [list]
    listed.requiresRevocationLists = true
    return Session(configuration: listed)
  }

  static func proxied(_ configuration: URLSessionConfiguration) {
    configuration.proxySelection = .environment
    configuration.revocationProxySelection = configuration.proxySelection
  }
}
