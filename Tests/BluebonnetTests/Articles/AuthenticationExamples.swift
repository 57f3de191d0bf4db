// SPDX-License-Identifier: MIT

// The code of the article *Authentication*, word for word; `AuthenticationExamplesTests` runs it.

import Bluebonnet
import BluebonnetFoundation

enum AuthenticationExamples {
  static func password(_ address: String) async -> String? {
    let report = AF.request(address)
      .authenticate(username: "user", password: "secret")
      .validate()
      .serializingString()
    return try? await report.value
  }

  static func kerberos(_ address: String) async -> Int? {
    let ticket = URLCredential(user: "", password: "", persistence: .forSession)
    let page = AF.request(address).authenticate(with: ticket).serializingString()
    return await page.response.response?.statusCode
  }

  static func careful() -> Session {
    let configuration = URLSessionConfiguration.af.default
    configuration.authenticationSchemes = [.digest, .ntlm, .negotiate]
    let careful = Session(configuration: configuration)
    return careful
  }

  static func storing() {
    let space = URLProtectionSpace(
      host: "example.org", port: 443, protocol: NSURLProtectionSpaceHTTPS, realm: "staff",
      authenticationMethod: NSURLAuthenticationMethodDefault)
    let known = URLCredential(user: "user", password: "secret", persistence: .forSession)
    URLCredentialStorage.shared.setDefaultCredential(known, for: space)
  }
}
