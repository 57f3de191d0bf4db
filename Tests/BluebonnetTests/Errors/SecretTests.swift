// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Passwords, tokens and cookies stand in no description: those end up in logs.
@Suite struct SecretTests {
  let origin: Origin

  init() {
    origin = Origin.inMemory()
    origin.script(
      "/x?page=2",
      .response(
        status: 404, fields: [("Set-Cookie", "id=canary"), ("Content-Type", "application/json")],
        body: "{}".utf8)
    )
  }

  /// An address with a password in it.
  private var address: String { "http://canaryname:canary@127.0.0.1:\(origin.port)/x?page=2" }

  private let headers: HTTPHeaders = [
    .authorization(bearerToken: "canary"), HTTPHeader(name: "Cookie", value: "id=canary"),
    HTTPHeader(name: "proxy-authorization", value: "Basic canary"), .accept("application/json"),
  ]

  /// All that a log can make of a value.
  private func texts(_ values: Any?...) -> [String] {
    values.compactMap { $0 }.flatMap { value -> [String] in
      ["\(value)", String(reflecting: value)]
        + ((value as? any Error).map { [$0.localizedDescription] } ?? [])
    }
  }

  private func expectNoSecrets(in texts: [String], _ location: SourceLocation = #_sourceLocation) {
    for text in texts { #expect(!text.contains("canary"), "\(text)", sourceLocation: location) }
  }

  @Test(arguments: [false, true]) func notInARequestAndItsResponse(isValidated: Bool) async throws {
    let session = Session(configuration: .inMemory)
    let request = session.request(address, headers: headers)
    if isValidated { request.validate() }
    let response = await request.serializingData().response
    expectNoSecrets(
      in: texts(
        request, response, response.result, response.error, response.request, response.response,
        response.metrics,
        response.metrics?.transactionMetrics.first, request.task, request.lastRequest))
    #expect(request.description == "GET http://127.0.0.1:\(origin.port)/x?page=2 (404)")
    #expect(response.request?.description == "http://127.0.0.1:\(origin.port)/x?page=2")
    let debug = response.debugDescription
    #expect(debug.contains("Authorization: <redacted>"))
    #expect(debug.contains("Set-Cookie: <redacted>"))
    #expect(debug.contains("Accept: application/json"))
  }

  @Test func notInADownload() async throws {
    let session = Session(configuration: .inMemory)
    let request = session.download(address, headers: headers).validate()
    let response = await request.serializingDownloadedFileURL().response
    expectNoSecrets(
      in: texts(request, response, response.result, response.error, response.request, response.response))
    #expect(
      response.description
        == """
        failure(AFError.responseValidationFailed(unacceptableStatusCode): The response's status 404 (not found) is \
        not acceptable.) (GET http://127.0.0.1:\(origin.port)/x?…)
        """)
  }

  @Test func notInAnErrorOfTheTransport() async throws {
    let session = Session(configuration: .inMemory)
    let port = try ClosedPort()
    let address = address.replacing(":\(origin.port)", with: ":\(port.number)")
    let response = await session.request(address, headers: headers).serializingData().response
    let error = try #require(response.error?.underlyingError as? URLError)
    expectNoSecrets(
      in: texts(response, response.error, error, error.transportFailure, error.failingURL, error.userInfo))
    #expect(error.failingURL?.absoluteString == "http://127.0.0.1:\(port.number)/x?page=2")
  }

  @Test func notInAnErrorAfterARedirect() async throws {
    origin.script(
      "/elsewhere",
      .response(status: 302, fields: [("Location", "http://canaryname:canary@nobody.invalid/?canary")]))
    let session = Session(configuration: .inMemory)
    let response = await session.request(origin.baseURL + "/elsewhere").serializingData().response
    let error = try #require(response.error)
    #expect(
      error.localizedDescription.hasPrefix("GET http://nobody.invalid/?… failed while looking up the host:"),
      "\(error)")
  }

  @Test func theCaseOfAnErrorIsInItsDebugDescription() {
    let nested = AFError.responseSerializationFailed(reason: .decodingFailed(error: Mishap()))
    #expect(
      nested.debugDescription
        == """
        AFError.responseSerializationFailed(decodingFailed): The body could not be decoded: Mishap(number: 1).
        """)
    #expect(AFError.explicitlyCancelled.debugDescription.hasPrefix("AFError.explicitlyCancelled: "))
    #expect(AFError.sessionDeinitialized.debugDescription.hasPrefix("AFError.sessionDeinitialized: "))
    #expect(
      AFError.parameterEncodingFailed(reason: .missingURL).debugDescription
        .hasPrefix("AFError.parameterEncodingFailed(missingURL): "))
    #expect(
      AFError.sessionTaskFailed(error: Mishap()).debugDescription
        == "AFError.sessionTaskFailed: The transfer failed: Mishap(number: 1).")
  }
}
