// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Responses that say nothing, from a server that says so.
@Suite struct EmptyBodyTests {
  private struct Nothing: Decodable, EmptyResponse, Equatable {
    var reason = "default"
    static func emptyValue() -> Nothing { Nothing(reason: "empty") }
  }

  private struct Something: Decodable {
    let url: String
  }

  @Test(arguments: [204, 205])
  func statusesWithoutABody(status: Int) async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let url = origin.baseURL + "/status/\(status)"
    let request = session.request(url).validate()
    #expect(await request.serializingData().response.value == Data())
    #expect(await request.serializingString().response.value == "")
    #expect(await request.serializingDecodable(Empty.self).response.error == nil)
    #expect(await request.serializingDecodable(Nothing.self).response.value == Nothing(reason: "empty"))
    let error = await request.serializingDecodable(Something.self).response.error
    guard case .responseSerializationFailed(.invalidEmptyResponse(let type)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(type == "Something")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      session.request(url).response(queue: .global()) { response in
        #expect(response.error == nil)
        #expect(response.value == .some(nil))
        #expect(response.data == nil)
        continuation.resume()
      }
    }
  }

  @Test func headHasNoBody() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let response = await session.request(origin.baseURL + "/get", method: .head, parameters: ["a": "b"])
      .validate().serializingDecodable(Empty.self).response
    #expect(response.error == nil)
    #expect(response.response?.statusCode == 200)
    #expect(response.request?.url?.absoluteString == origin.baseURL + "/get?a=b")
  }

  @Test func elsewhereNothingIsTooLittle() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let request = session.request(origin.baseURL + "/bytes/0")
    let error = await request.serializingDecodable(Empty.self).response.error
    guard case .responseSerializationFailed(.inputDataNilOrZeroLength) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(await request.serializingDecodable(Empty.self, emptyResponseCodes: [200]).response.error == nil)
    #expect(
      await request.serializingDecodable(Empty.self, emptyRequestMethods: [.get]).response.error == nil)
  }
}
