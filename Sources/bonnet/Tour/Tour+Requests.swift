// SPDX-License-Identifier: MIT
import Bluebonnet

extension Tour {
  /// Ordinary requests over a plain connection.
  var requests: [TourStop] {
    [
      TourStop(title: "JSON by GET") {
        let echo = try await echo(AF.request(plain.baseURL + "/get", parameters: ["flower": "blue bonnet"]))
        try promise(echo.args == ["flower": "blue bonnet"], "the query came as \(echo.args)")
        return "decoded, \(echo.headers.count) fields"
      },
      TourStop(title: "a form by POST") {
        let form = ["name": "Lupinus texensis", "state": "Texas & more"]
        let echo = try await echo(AF.request(plain.baseURL + "/post", method: .post, parameters: form))
        try promise(echo.form == form, "the form came as \(echo.form ?? [:])")
        return "came as it was sent"
      },
      TourStop(title: "a gzip response") { try await compressed("/gzip", coding: "gzip") },
      TourStop(title: "a brotli response") { try await compressed("/brotli", coding: "br") },
      TourStop(title: "three redirects") {
        let request = AF.request(plain.baseURL + "/redirect/3")
        let echo = try await echo(request)
        try promise(echo.url == plain.baseURL + "/get", "it ended at \(echo.url)")
        return "ended at /get"
      },
    ]
  }

  private func compressed(_ path: String, coding: String) async throws -> String {
    let request = AF.request(plain.baseURL + path)
    _ = try await echo(request)
    let field = request.response?.value(forHTTPHeaderField: "Content-Encoding")
    try promise(field == coding, "Content-Encoding is \(field ?? "missing")")
    return "undone on the way"
  }

  func echo(_ request: DataRequest) async throws -> Echo {
    try await request.validate().serializingDecodable(Echo.self).value
  }
}

/// The origin's report of a request.
struct Echo: Decodable, Sendable {
  struct Field: Decodable, Sendable {
    let name: String
    let value: String
  }

  let url: String
  let headers: [Field]
  let args: [String: String]
  let form: [String: String]?
}
