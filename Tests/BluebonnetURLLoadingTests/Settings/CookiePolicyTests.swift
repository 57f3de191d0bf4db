// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

/// `URLSessionConfiguration.httpCookieAcceptPolicy` decides over what a session stores.
@Suite(.serialized) struct CookiePolicyTests {
  struct Case: Sendable {
    var configuration: HTTPCookie.AcceptPolicy?
    var storage: HTTPCookie.AcceptPolicy?
    var document: String?
    let isStored: Bool
  }

  static let elsewhere = "https://other.test/"

  @Test(arguments: [
    Case(isStored: true),
    Case(configuration: .never, isStored: false),
    Case(configuration: .always, document: elsewhere, isStored: true),
    Case(configuration: .onlyFromMainDocumentDomain, document: elsewhere, isStored: false),
    Case(configuration: .onlyFromMainDocumentDomain, isStored: true),
    // Nobody has set the configuration's: the storage's own policy decides.
    Case(storage: .always, document: elsewhere, isStored: true),
    Case(document: elsewhere, isStored: false),
    // The stricter of two refusals.
    Case(configuration: .always, storage: .never, isStored: false),
    Case(configuration: .onlyFromMainDocumentDomain, storage: .always, document: elsewhere, isStored: false),
  ])
  func decides(_ expected: Case) async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    let storage = try #require(configuration.httpCookieStorage)
    if let policy = expected.storage { storage.cookieAcceptPolicy = policy }
    if let policy = expected.configuration {
      configuration.httpCookieAcceptPolicy = policy
      #expect(configuration.httpCookieAcceptPolicy == policy)
    }
    origin.script("/set", .response(fields: [("Set-Cookie", "a=b")]))
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/set")))
    request.mainDocumentURL = expected.document.flatMap { URL(string: $0) }
    _ = try await URLSession(configuration: configuration).data(for: request)
    #expect(storage.cookies?.isEmpty == !expected.isStored)
  }

  @Test func theDefaultIsTheStorages() {
    let configuration = URLSessionConfiguration.inMemory
    #expect(configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
    configuration.httpCookieStorage?.cookieAcceptPolicy = .always
    #expect(configuration.httpCookieAcceptPolicy == .always)
    configuration.httpCookieStorage = nil
    #expect(configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
  }

  /// Who names a group gets what others of the group have stored.
  @Test func groupsShareAStorage() {
    let group = UUID().uuidString
    let first = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: group)
    #expect(HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: group) === first)
    #expect(HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: group + "b") !== first)
  }
}
