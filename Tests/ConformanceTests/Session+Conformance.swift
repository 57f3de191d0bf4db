// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport

extension Session {
  /// A session that sends what ``Curl`` sends, and trusts the authority of the real servers.
  static func conformance(connections: Int = 6) throws -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.headers = HTTPHeaders(Curl.headers)
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = 20
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    return Session(configuration: configuration)
  }

  /// The whole body, however the status.
  func bytes(_ url: String, method: HTTPMethod = .get, headers: HTTPHeaders? = nil) async throws -> [UInt8] {
    [UInt8](
      try await request(url, method: method, headers: headers).serializingData(emptyResponseCodes: [
        200, 204, 304,
      ]).value)
  }
}
