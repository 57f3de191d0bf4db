// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

extension SeedSnippetsTests {
  /// The usage guide on authentication.
  @Suite struct UsageAuthenticationTests {
    private let origin: Origin
    private var base: String { origin.baseURL }
    private let user = "ada"
    private let password = "secret"

    init() {
      origin = Origin.inMemory()
    }

    @Test func basicAuthentication() async throws {
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/basic-auth/\(user)/\(password)")
        .authenticate(username: user, password: password)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      let answer = try await answers.first()
      #expect(answer.response?.statusCode == 200 && answer.value != nil)
      #expect(origin.requests.map { $0.value("Authorization") != nil } == [false, true])
    }

    @Test func withACredential() async throws {
      let credential = URLCredential(user: user, password: password, persistence: .forSession)
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/basic-auth/\(user)/\(password)")
        .authenticate(with: credential)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().response?.statusCode == 200)
      #expect(origin.requests.count == 2)
    }

    @Test func byHand() async throws {
      let fields: HTTPHeaders = [.authorization(username: user, password: password)]
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/basic-auth/ada/secret", headers: fields)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().response?.statusCode == 200)
      #expect(origin.requests.count == 1)
    }
  }
}
