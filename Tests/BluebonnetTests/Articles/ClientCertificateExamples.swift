// SPDX-License-Identifier: MIT

// The code of the article *Client certificates and TLS*: word for word, and once more with files and hosts that tests have, which
// `ClientCertificateExamplesTests` runs.

import Bluebonnet
import BluebonnetFoundation

enum ClientCertificateExamples {
  static func own(_ archive: Data, _ url: String, _ session: Session) async throws -> Int? {
    let credential = try URLCredential(pkcs12: archive, password: "secret")
    return await session.request(url)
      .authenticate(with: credential)
      .serializingString().response.response?.statusCode
  }

  static func byHost(
    _ chain: Data, _ key: Data, _ host: String, _ configuration: URLSessionConfiguration
  ) throws -> Session {
    let credential = try URLCredential(certificates: chain, key: key, password: "secret")
    configuration.clientCredentials[host] = credential
    configuration.clientCredentials["*.internal.example.org"] = credential
    return Session(configuration: configuration)
  }

  static func settings(_ configuration: URLSessionConfiguration) -> Session {
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
    configuration.tls.cipherSuites = ["TLS_AES_256_GCM_SHA384"]
    configuration.tls.groups = ["X25519", "P-384"]
    configuration.tls.resumesSessions = false
    return Session(configuration: configuration)
  }

  static func archive() throws {
    let archive = try Data(contentsOf: URL(fileURLWithPath: "/etc/my-service/client.p12"))
    let credential = try URLCredential(pkcs12: archive, password: "secret")
    AF.request("https://api.example.org/")
      .authenticate(with: credential)
      .responseString { debugPrint($0) }
  }

  static func files() throws -> Session {
    let chain = try Data(contentsOf: URL(fileURLWithPath: "/etc/my-service/client.pem"))
    let key = try Data(contentsOf: URL(fileURLWithPath: "/etc/my-service/client.key"))
    let credential = try URLCredential(certificates: chain, key: key, password: "secret")

    let configuration = URLSessionConfiguration.af.default
    configuration.clientCredentials["api.example.org"] = credential
    configuration.clientCredentials["*.internal.example.org"] = credential
    let session = Session(configuration: configuration)
    return session
  }

  static func suites() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.af.default
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
    configuration.tls.cipherSuites = ["TLS_AES_256_GCM_SHA384"]
    configuration.tls.groups = ["X25519", "P-384"]
    configuration.tls.resumesSessions = false
    return configuration
  }
}
