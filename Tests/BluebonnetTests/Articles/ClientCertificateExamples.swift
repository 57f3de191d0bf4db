// The code of the article *Client certificates and TLS*, but for the names of files and hosts; `ClientCertificateExamplesTests`
// runs it.

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
}
