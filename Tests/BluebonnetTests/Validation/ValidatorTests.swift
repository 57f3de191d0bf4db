// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ValidatorTests {
  private func response(_ status: Int = 200, type: String? = nil) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://host/"))
    return try #require(
      HTTPURLResponse(
        url: url, statusCode: status, httpVersion: nil,
        headerFields: type.map { ["Content-Type": $0] }))
  }

  private func reason(_ result: Request.ValidationResult) -> AFError.ResponseValidationFailureReason? {
    guard case .failure(let error) = result,
      case .responseValidationFailed(let reason) = error as? AFError
    else { return nil }
    return reason
  }

  @Test(arguments: [(199, false), (200, true), (204, true), (299, true), (300, false), (404, false)])
  func successfulStatus(status: Int, passes: Bool) throws {
    let result = Validator.successfulStatus.validate(nil, try response(status), .none)
    guard !passes else { return #expect(reason(result) == nil) }
    guard case .unacceptableStatusCode(let code) = reason(result) else {
      Issue.record("\(result)")
      return
    }
    #expect(code == status)
  }

  enum Verdict: Sendable { case passes, missing, unacceptable }

  private static let types: [(String?, [String], String, Verdict)] = [
    ("application/json", ["application/json"], "x", .passes),
    ("application/json; charset=utf-8", ["application/json"], "x", .passes),
    ("application/json", ["text/*", "application/*"], "x", .passes),
    ("text/html", ["application/json"], "x", .unacceptable),
    ("text/html", ["application/json"], "", .passes),
    (nil, ["application/json"], "x", .missing),
    (nil, ["application/json"], "", .passes),
    (nil, ["*/*"], "x", .passes),
    ("nonsense", ["*/*"], "x", .passes),
    ("nonsense", ["text/html"], "x", .missing),
    ("text/html", [], "x", .unacceptable),
    // An error names the acceptable types in order, whatever set they came from.
    ("text/html", ["text/plain", "application/xml", "application/json"], "x", .unacceptable),
    (nil, ["text/plain", "application/json"], "x", .missing),
  ]

  @Test(arguments: types)
  func contentType(type: String?, acceptable: [String], body: String, expected: Verdict) throws {
    let validator = Validator.contentType { acceptable }
    let result = validator.validate(nil, try response(type: type), .data(Data(body.utf8)))
    switch (expected, reason(result)) {
    case (.passes, nil): break
    case (.missing, .missingContentType(let types)): #expect(types == acceptable.sorted())
    case (.unacceptable, .unacceptableContentType(let types, _)): #expect(types == acceptable.sorted())
    default: Issue.record("\(result)")
    }
  }

  private static let accepted: [(String?, Bool)] = [
    ("text/html", true), ("text/plain, application/json", false), (nil, true),
  ]

  @Test(arguments: accepted)
  func acceptField(accept: String?, passes: Bool) throws {
    var request = URLRequest(url: try #require(URL(string: "http://host/")))
    request.setValue(accept, forHTTPHeaderField: "Accept")
    let result = Validator.acceptedContentType.validate(
      request, try response(type: "text/html"), .data(Data("x".utf8)))
    #expect((reason(result) == nil) == passes)
  }

  @Test func aMissingFileIsTold() throws {
    let validator = Validator.contentType { ["text/html"] }
    guard case .dataFileNil = reason(validator.validate(nil, try response(), .file(nil))) else {
      Issue.record("A download without a file has nothing to validate.")
      return
    }
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
    guard
      case .dataFileReadFailed(let url) = reason(validator.validate(nil, try response(), .file(nowhere)))
    else {
      Issue.record("A file that does not exist cannot be validated.")
      return
    }
    #expect(url == nowhere)
  }
}
