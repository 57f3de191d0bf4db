import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct CURLTests {
  private func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "yes"]
    return configuration
  }

  @Test func theWholeCommand() async {
    let scripted = ScriptedSession(configuration: configuration())
    let request = scripted.session.request(
      "http://host.test/path?a=b", method: .post, headers: ["X-Own": "say \"hi\"", "Cookie": "secret"]
    ) { $0.httpBody = Data(#"{"a":"b\"c"}"#.utf8) }
    .authenticate(username: "user", password: "pass")
    _ = await request.serializingData().response
    let parts = request.cURLDescription().components(separatedBy: " \\\n\t")
    #expect(parts.first == "$ curl -v")
    #expect(parts.dropFirst().first == "-X POST")
    #expect(parts.contains("-u user:pass"))
    #expect(parts.contains("-H \"X-Session: yes\""))
    #expect(parts.contains(#"-H "X-Own: say \"hi\"""#))
    #expect(!parts.contains { $0.contains("secret") })
    #expect(parts.contains(#"-d "{\"a\":\"b\\\"c\"}""#))
    #expect(parts.last == "\"http://host.test/path?a=b\"")
  }

  @Test func ownFieldsCoverTheSessions() async {
    let scripted = ScriptedSession(configuration: configuration())
    let request = scripted.session.request("http://host.test/", headers: ["x-session": "no"])
    _ = await request.serializingData().response
    let text = request.cURLDescription()
    #expect(text.contains("-H \"x-session: no\""))
    #expect(!text.contains("yes"))
  }

  @Test func withoutARequestThereIsNoCommand() async {
    let scripted = ScriptedSession()
    #expect(
      scripted.session.request("http://host.test/").cURLDescription()
        == "$ curl command could not be created")
    let text = await withCheckedContinuation { continuation in
      scripted.session.request("").cURLDescription(on: .global()) { continuation.resume(returning: $0) }
        .resume()
    }
    #expect(text == "$ curl command could not be created")
  }

  @Test func aHandlerIsCalledOnceThereIsARequest() async {
    let scripted = ScriptedSession()
    let text = await withCheckedContinuation { continuation in
      scripted.session.request("http://host.test/")
        .cURLDescription { _ in Issue.record("Only the last handler counts.") }
        .cURLDescription { continuation.resume(returning: $0) }
        .resume()
    }
    #expect(text.hasSuffix("\"http://host.test/\""))
  }
}
