// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestAuthority
import Testing

/// Runs what the articles show of pins and of revocation: a request that succeeds, and one that must not.
@Suite struct TrustExamplesTests {
  private let root: StatusAuthority
  /// For files.
  private let folder: URL

  init() throws {
    root = try StatusAuthority()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-trust-examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func removeFiles() { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws -> URL {
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }

  private func origin(_ leaf: StatusLeaf, stapling response: [UInt8]? = nil) throws -> Origin {
    try Origin.start(
      security: .identity(
        OriginIdentity(certificateChain: leaf.pem, privateKey: leaf.keyPEM, stapledResponse: response)))
  }

  /// Any name leads to that origin.
  private func configuration(leadingTo origin: Origin) throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.af.default
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: root.pem))])
    configuration.connectionEndpoint = .init(host: "127.0.0.1", port: Int(origin.port))
    return configuration
  }

  private func isServed(by session: Session, _ url: String) async -> Bool {
    await session.request(url).validate().serializingData().response.error == nil
  }

  @Test func askingForRevocation() async throws {
    let leaf = try root.server("DNS:pay.example.org,DNS:www.example.org")
    let answers: [(TestAnswer?, Bool)] = [
      (TestAnswer(), true), (TestAnswer(.revoked(reason: 1)), false), (nil, false),
    ]
    for (answer, isServed) in answers {
      let origin = try origin(leaf, stapling: try answer.map { try root.response(about: leaf, $0) })
      let configuration = try configuration(leadingTo: origin)
      let careful = RevocationExamples.asking(configuration)
      #expect(await self.isServed(by: careful, "https://pay.example.org/get") == isServed)
      #expect(origin.requests.count == (isServed ? 1 : 0))
      let asking = Session(configuration: configuration, serverTrustManager: ArticleExamples.asking())
      #expect(await self.isServed(by: asking, "https://pay.example.org/get") == isServed)
      // It takes the lack of an answer for good.
      let lenient = await self.isServed(by: asking, "https://www.example.org/get")
      #expect(lenient == (isServed || answer == nil))
    }
  }

  @Test func lists() async throws {
    defer { removeFiles() }
    let authority = try write("authority.pem", root.pem)
    for (serial, isServed) in [(5, true), (4_711, false)] {
      let origin = try origin(root.server())
      let list = try write("\(serial).pem", StatusAuthority.pem(ofList: root.list(revoking: [serial])))
      let listed = RevocationExamples.listed(authority.path, list.path)
      #expect(await self.isServed(by: listed, origin.baseURL + "/get") == isServed)
      #expect(origin.requests.count == (isServed ? 1 : 0))
    }
  }

  @Test func pins() async throws {
    defer { removeFiles() }
    let leaf = try root.server()
    let origin = try origin(leaf)
    let certificate = try #require(SecCertificate(pem: leaf.pem))
    let hash = try #require([certificate].af.publicKeyHashes.first)
    for (pin, isServed) in [(hash, true), ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false)] {
      let file = try write("pins.json", #"{"localhost": ["\#(pin)"]}"#)
      let configuration = URLSessionConfiguration.af.default
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: root.pem))])
      let wary = try ArticleExamples.pins(file, configuration)
      #expect(await self.isServed(by: wary, origin.baseURL + "/get") == isServed)
      #expect(origin.requests.count == (isServed ? 1 : 0))
      origin.forgetRequests()
    }
  }
}
