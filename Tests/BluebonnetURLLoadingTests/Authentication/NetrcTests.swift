// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetURLLoading
import Glibc
import Testing

@Suite struct NetrcTests {
  private func netrc(_ text: String) throws -> Netrc { try Netrc(Data(text.utf8)) }

  private func found(_ text: String, _ address: String) throws -> String? {
    let credential = try netrc(text).credential(for: try #require(URL(string: address)))
    return credential.map { "\($0.user ?? "-"):\($0.password ?? "-")" }
  }

  @Test(
    arguments: [
      ("https://example.org/", "me:secret"), ("http://EXAMPLE.org.:8080/x", "me:secret"),
      ("https://www.example.org/", nil), ("https://other@example.org/", "other:second"),
      ("https://nobody@example.org/", nil), ("https://me:stated@example.org/", nil),
      ("https://b%C3%BCcher.example/", "book:worm"), ("http://[::1]/", "six:v"), ("http://127.1/", "four:v"),
      ("https://short.test/", "name:"), ("https://name@short.test/", nil),
    ] as [(String, String?)])
  func theEntryOfAHostIsFound(_ address: String, _ expected: String?) throws {
    let text = """
      machine Example.Org login me password secret
      machine example.org login other password second
      machine bücher.example login book password worm
      machine ::1 login six password v
      machine 127.0.0.1 login four password v
      machine short.test login name
      """
    #expect(try found(text, address) == expected)
  }

  @Test func bytesAreThoseOfTheFile() throws {
    let netrc = try Netrc(Data(Array("machine a.test login m\u{E9} password ".utf8) + [0xE9]))
    let found = netrc.credentialBytes(for: try #require(URL(string: "https://a.test/")))
    #expect(found?.user == Array("m\u{E9}".utf8))
    #expect(found?.password == [0xE9])
    #expect(netrc.credentialBytes(for: try #require(URL(string: "https://b.test/")))?.user == nil)
  }

  /// Neither the URL's user nor the file's need be UTF-8 to be the same.
  @Test func usersAreComparedAsBytes() throws {
    let file = Array("machine a.test login me password one machine a.test login ".utf8) + [0xE9]
    let netrc = try Netrc(Data(file + Array(" password two".utf8)))
    let found = netrc.credentialBytes(for: try #require(URL(string: "https://%E9@a.test/")))
    #expect(found?.user == [0xE9])
    #expect(found?.password == Array("two".utf8))
    #expect(netrc.credentialBytes(for: try #require(URL(string: "https://%EA@a.test/")))?.user == nil)
  }

  @Test func errorsSayWhy() throws {
    let path = FileManager.default.temporaryDirectory.path + "/netrc-\(UUID.random().uuidString)"
    let file = URL(fileURLWithPath: path)
    defer { unlink(path) }
    #expect(throws: POSIXError(.ENOENT)) { try Netrc(contentsOf: file) }
    try Data("machine a.test login \"me".utf8).write(to: file)
    let error = #expect(throws: NetrcError.self) { try Netrc(contentsOf: file) }
    #expect(error?.line == 1)
    #expect(error?.description == "line 1 of the .netrc: the quotation marks of a word are not closed")
    #expect(throws: NetrcError.self) { try netrc("machine") }
    try Data("machine a.test login me password secret".utf8).write(to: file)
    #expect(try Netrc(contentsOf: file) == netrc("machine a.test login me password secret"))
    #expect(throws: POSIXError(.EISDIR)) { try Netrc(contentsOf: URL(fileURLWithPath: "/")) }
    #expect(throws: CocoaError.self) { try Netrc(contentsOf: URL(fileURLWithPath: "/dev/zero")) }
    // Root may read everything.
    if getuid() != 0 {
      chmod(path, 0)
      #expect(throws: POSIXError(.EACCES)) { try Netrc(contentsOf: file) }
    }
    #expect(Netrc.defaultFile.lastPathComponent == ".netrc")
  }

  // MARK: Sessions

  private static let text =
    "machine 127.0.0.1 login me password secret\nmachine 127.0.0.1 login other password second"

  private func authorization(
    _ origin: Origin, at address: String? = nil, session fields: [String: String] = [:],
    request own: [String: String] = [:]
  ) async throws -> String? {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.netrc = try netrc(Self.text)
    configuration.httpAdditionalHeaders = fields
    var request = URLRequest(url: try #require(URL(string: address ?? origin.baseURL + "/get")))
    for (name, value) in own { request.setValue(value, forHTTPHeaderField: name) }
    _ = try await URLSession(configuration: configuration).data(for: request)
    return origin.requests.last?.value("Authorization")
  }

  private static func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

  @Test func aSessionShowsThemToTheirHost() async throws {
    let origin = try Origin.start()
    #expect(try await authorization(origin) == Self.basic("me:secret"))
    // What the caller states goes before.
    #expect(try await authorization(origin, session: ["authorization": "Bearer s"]) == "Bearer s")
    #expect(try await authorization(origin, request: ["Authorization": "Bearer r"]) == "Bearer r")
    let place = origin.baseURL.dropFirst("http://".count)
    for (information, expected) in [
      ("other", "other:second"), ("me", "me:secret"), ("other:stated", "other:stated"), ("nobody", "nobody:"),
    ] {
      let sent = try await authorization(origin, at: "http://\(information)@\(place)/get")
      #expect(sent == Self.basic(expected), "\(information)")
    }
    // Another host has none.
    let other = "http://localhost:\(place.split(separator: ":").last ?? "")/get"
    #expect(try await authorization(origin, at: other) == nil)
  }

  /// By whatever scheme they are asked for; and in the clear only where that is let in.
  @Test(
    arguments: [
      "/digest-auth/auth/me/secret", "/digest-auth/auth-int/me/secret?algorithm=SHA-256",
      "/ntlm-auth/me/secret",
    ],
    [true, false])
  func challengesAreAnswered(_ path: String, allowsBasic: Bool) async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.netrc = try netrc(Self.text)
    configuration.urlCredentialStorage = nil
    if !allowsBasic { configuration.authenticationSchemes = [.digest, .ntlm] }
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = "POST"
    request.httpBody = Data("content".utf8)
    for _ in 0..<2 {
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    let sent = origin.requests.map { $0.value("Authorization") }
    #expect(sent.first == .some(allowsBasic ? Self.basic("me:secret") : nil))
    #expect(!sent.dropFirst().contains { $0?.hasPrefix("Basic") == true })
    #expect(sent.count == (path.hasPrefix("/ntlm") ? 4 : 3))
  }

  /// A server that asks for the password in the clear does not get it where that is not let in.
  @Test func basicIsNotSentWhereItIsNotAllowed() async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.netrc = try netrc(Self.text)
    configuration.authenticationSchemes = [.digest]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: origin.baseURL + "/basic-auth/me/secret"))
    let (_, response) = try await session.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
    #expect(origin.requests.map { $0.value("Authorization") } == [nil])
  }

  @Test func aRedirectToAnotherOriginShowsNothing() async throws {
    let (home, away) = (try Origin.start(), try Origin.start())
    home.script("/away", .response(status: 302, fields: [("Location", away.baseURL + "/back")]))
    away.script("/back", .response(status: 302, fields: [("Location", home.baseURL + "/get")]))
    home.script("/here", .response(status: 302, fields: [("Location", "/get")]))
    #expect(try await authorization(home, at: home.baseURL + "/here") == Self.basic("me:secret"))
    // The same host, but another port: another origin. And what comes back from there has been chosen there.
    #expect(try await authorization(home, at: home.baseURL + "/away") == nil)
    #expect(home.requests.suffix(2).first?.value("Authorization") == Self.basic("me:secret"))
    #expect(away.requests.last?.target == "/back")
    #expect(away.requests.last?.value("Authorization") == nil)
  }
}
