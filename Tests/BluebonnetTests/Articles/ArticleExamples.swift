// SPDX-License-Identifier: MIT

// Examples of the article *Usage* that `ArticleExamplesTests` and `TrustExamplesTests` run.

import Bluebonnet
import BluebonnetFoundation

enum Route: URLRequestConvertible {
  case user(id: Int)
  case search(String)

  func asURLRequest() throws -> URLRequest {
    switch self {
    case .user(let id):
      return try URLRequest(url: "https://example.org/users/\(id)", method: .get)
    case .search(let text):
      let request = try URLRequest(url: "https://example.org/search", method: .get)
      return try URLEncodedFormParameterEncoder.default.encode(["q": text], into: request)
    }
  }
}

enum ArticleExamples {
  static func pins(_ file: URL, _ configuration: URLSessionConfiguration) throws -> Session {
    var evaluators = try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
    evaluators["*.example.org"] = try PublicKeyHashesTrustEvaluator(
      hashes: ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
      backupHashes: ["sha256/RRM1dGqnDFsCJXBTHky16vi1obOlCgFFn/yOhI/y+ho="])
    let wary = Session(
      configuration: configuration, serverTrustManager: ServerTrustManager(evaluators: evaluators))
    return wary
  }

  static func asking() -> ServerTrustManager {
    let asking = ServerTrustManager(
      allHostsMustBeEvaluated: false,
      evaluators: [
        "pay.example.org": RevocationTrustEvaluator(options: [.any, .requirePositiveResponse]),
        "www.example.org": RevocationTrustEvaluator(),
      ])
    return asking
  }
}
