// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport

/// What is sent in a field of the matrix.
enum MatrixMessage: String, CaseIterable, Sendable {
  case get = "GET"
  /// A body in memory, which is sent again with the answer to a challenge.
  case post = "POST"
  /// 3 MB of a file, likewise.
  case upload

  var method: HTTPMethod {
    switch self {
    case .get: .get
    case .post: .post
    case .upload: .put
    }
  }

  /// The file whose contents are the body.
  private var file: String? {
    switch self {
    case .get: nil
    case .post: "letter.bin"
    case .upload: "random.bin"
    }
  }

  func request(_ url: String, on session: Session) throws -> DataRequest {
    guard let file else { return session.request(url) }
    let path = URL(fileURLWithPath: (RealServer.files ?? "") + "/" + file)
    return self == .upload
      ? session.upload(path, to: url, method: method)
      : session.upload(try Data(contentsOf: path), to: url, method: method)
  }

  /// Whether this is what reached the origin.
  func isWhat(_ echo: Echo) async throws -> Bool {
    let (name, files) = (file ?? "zero.txt", RealServer.files ?? "")
    let words = try await detached { try Program("sha256sum").run("\(files)/\(name)").text }
    return echo.method == method.rawValue && words.hasPrefix(echo.sha256)
  }
}
