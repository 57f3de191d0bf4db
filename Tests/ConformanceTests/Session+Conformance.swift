import Bluebonnet
import BluebonnetTestSupport
import Testing

extension Session {
  /// A session that sends what ``Curl`` sends, and trusts the authority of the real servers.
  static func conformance(connections: Int = 6) throws -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.headers = HTTPHeaders(Curl.headers)
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = 20
    guard let path = RealServer.authority else { return Session(configuration: configuration) }
    let evaluator = PinnedCertificatesTrustEvaluator(
      certificates: try certificates(in: path), acceptSelfSignedCertificates: true)
    return Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(
        allHostsMustBeEvaluated: false, evaluators: ["localhost": evaluator]))
  }

  private static func certificates(in path: String) throws -> [SecCertificate] {
    let pem = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let der = try #require(Data(base64Encoded: lines.joined()))
    return [try #require(SecCertificateCreateWithData(nil, der))]
  }

  /// The whole body, however the status.
  func bytes(_ url: String, method: HTTPMethod = .get, headers: HTTPHeaders? = nil) async throws -> [UInt8] {
    [UInt8](
      try await request(url, method: method, headers: headers).serializingData(emptyResponseCodes: [
        200, 204, 304,
      ]).value)
  }
}
