// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

/// What cannot be honoured fails the load before anything is sent, and the error names the member.
@Suite(.serialized) struct RefusedSettingsTests {
  /// A member, and how to set it to what cannot be done.
  struct Setting<Subject>: Sendable, CustomTestStringConvertible {
    let member: String
    let testDescription: String
    let change: @Sendable (inout Subject) -> Void

    init(_ member: String, _ description: String = "", _ change: @escaping @Sendable (inout Subject) -> Void)
    {
      self.member = member
      testDescription = member + " " + description
      self.change = change
    }
  }

  private final class NoProtocol {}

  static let refused: [Setting<URLSessionConfiguration>] = [
    .init("connectionProxyDictionary", "no host") {
      $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPPort": 3128]
    },
    .init("connectionProxyDictionary", "no port of the name") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "HTTPPort": "many"]
    },
    .init("connectionProxyDictionary", "no port of the number") {
      $0.connectionProxyDictionary = ["HTTPEnable": true, "HTTPProxy": "proxy.test", "HTTPPort": 65_536]
    },
    .init("connectionProxyDictionary", "socks without a host") {
      $0.connectionProxyDictionary = ["SOCKSEnable": 1, "SOCKSPort": 1080]
    },
    .init("connectionProxyDictionary", "discovery") {
      $0.connectionProxyDictionary = [kCFNetworkProxiesProxyAutoDiscoveryEnable: 1]
    },
    .init("connectionProxyDictionary", "exceptions that are no list") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "ExceptionsList": "*.local"]
    },
    .init("connectionProxyDictionary", "exceptions that are no names") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "ExceptionsList": ["*.local", 7]]
    },
    .init("connectionProxyDictionary", "simple names that are no truth value") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "ExcludeSimpleHostnames": "off"]
    },
    .init("connectionProxyDictionary", "a user who is no text") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "HTTPUser": 7]
    },
    .init("connectionProxyDictionary", "a password that is no text") {
      $0.connectionProxyDictionary = [
        "HTTPProxy": "proxy.test", kCFProxyUsernameKey: "me", kCFProxyPasswordKey: Data("secret".utf8),
      ]
    },
    .init("connectionProxyDictionary", "almost a known key") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "ExceptionsLists": ["*.local"]]
    },
    .init("connectionProxyDictionary", "unknown key of a known group") {
      $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test", "HTTPPort": 3128, "HTTPTunnel": 1]
    },
    .init("connectionProxyDictionary", "script") {
      $0.connectionProxyDictionary = [kCFNetworkProxiesProxyAutoConfigURLString: "http://a.test/proxy.pac"]
    },
    .init("connectionProxyDictionary", "script as text") {
      $0.connectionProxyDictionary = [
        kCFNetworkProxiesProxyAutoConfigJavaScript: "function FindProxyForURL(u, h) { return 'DIRECT' }"
      ]
    },
    .init("connectionProxyDictionary", "script without a place") {
      $0.connectionProxyDictionary = [kCFNetworkProxiesProxyAutoConfigEnable: true]
    },
    .init("connectionProxyDictionary", "unknown key") { $0.connectionProxyDictionary = ["Onion": "a.test"] },
    .init("requiresDNSSECValidation") { $0.requiresDNSSECValidation = true },
    .init("tlsMaximumSupportedProtocolVersion", "1.1") { $0.tlsMaximumSupportedProtocolVersion = .TLSv11 },
    .init("tlsMaximumSupportedProtocolVersion", "below the minimum") {
      $0.tlsMinimumSupportedProtocolVersion = .TLSv13
      $0.tlsMaximumSupportedProtocolVersion = .TLSv12
    },
    .init("tlsMinimumSupportedProtocolVersion", "datagrams") {
      $0.tlsMinimumSupportedProtocolVersion = .DTLSv12
      $0.tlsMaximumSupportedProtocolVersion = .DTLSv12
    },
    .init("protocolClasses") { $0.protocolClasses = [NoProtocol.self] },
    .init("httpAdditionalHeaders", "a number as a name") { $0.httpAdditionalHeaders = [7: "seven"] },
    .init("httpAdditionalHeaders", "framing") { $0.httpAdditionalHeaders = ["Content-Length": "5"] },
    .init("background(withIdentifier:)") {
      $0 = URLSessionConfiguration.background(withIdentifier: "nightly")
    },
  ]

  static let refusedOfRequests: [Setting<URLRequest>] = [
    .init("requiresDNSSECValidation") { $0.requiresDNSSECValidation = true },
    .init("cookiePartitionIdentifier") { $0.cookiePartitionIdentifier = "a" },
  ]

  let origin: Origin

  init() throws { origin = Origin.inMemory() }

  private func url(_ path: String = "/get") throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  /// Of the scheme that the setting is about.
  private func url(for member: String) throws -> URL {
    try #require(URL(string: "\(member.hasPrefix("tls") ? "https" : "http")://127.0.0.1:\(origin.port)/get"))
  }

  private func expectRefusal(of member: String, _ load: () async throws -> Void) async throws {
    let error = await #expect(throws: URLError.self) { try await load() }
    #expect(error?.code == .unsupportedURL)
    let text = try #require(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String)
    #expect(text.contains(member))
    let refused = try #require(error?.refusedSetting)
    #expect(refused.member.contains(member))
    #expect(text.contains(refused.remedy))
    #expect(origin.connectionCount == 0)
  }

  @Test(arguments: refused) func ofAConfiguration(_ setting: Setting<URLSessionConfiguration>) async throws {
    var configuration = URLSessionConfiguration.inMemory
    setting.change(&configuration)
    let session = URLSession(configuration: configuration)
    let url = try url(for: setting.member)
    try await expectRefusal(of: setting.member) { _ = try await session.data(from: url) }
    try await expectRefusal(of: setting.member) { _ = try await session.download(from: url) }
    session.invalidateAndCancel()
  }

  /// Loads whatever it is asked for.
  final class Stub: URLProtocol, @unchecked Sendable {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override func startLoading() {
      guard let client, let url = request.url else { return }
      let response = URLResponse(
        url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client.urlProtocolDidFinishLoading(self)
    }
  }

  /// Where a class loads, what concerns the network alone does not matter, and everything else does.
  @Test(arguments: refused) func whereAClassLoads(_ setting: Setting<URLSessionConfiguration>) async throws {
    var configuration = URLSessionConfiguration.inMemory
    setting.change(&configuration)
    configuration.protocolClasses = (configuration.protocolClasses ?? []) + [Stub.self]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let url = try url(for: setting.member)
    if setting.member.hasPrefix("tls") || setting.member == "connectionProxyDictionary" {
      _ = try await session.data(from: url)
    } else {
      try await expectRefusal(of: setting.member) { _ = try await session.data(from: url) }
    }
  }

  @Test(arguments: refusedOfRequests) func ofARequest(_ setting: Setting<URLRequest>) async throws {
    let session = URLSession(configuration: .inMemory)
    var request = URLRequest(url: try url())
    setting.change(&request)
    let asking = request
    try await expectRefusal(of: setting.member) { _ = try await session.data(for: asking) }
    try await expectRefusal(of: setting.member) {
      _ = try await session.upload(for: asking, from: Data("a".utf8))
    }
    session.invalidateAndCancel()
  }

  /// What was taken back is forgotten.
  @Test func aRequestThatAsksNoMoreIsLoaded() async throws {
    var request = URLRequest(url: try url())
    request.requiresDNSSECValidation = true
    request.cookiePartitionIdentifier = "a"
    request.requiresDNSSECValidation = false
    request.cookiePartitionIdentifier = nil
    let (_, response) = try await URLSession(configuration: .inMemory).data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  static let accepted: [Setting<URLSessionConfiguration>] = [
    .init("connectionProxyDictionary", "empty") { $0.connectionProxyDictionary = [:] },
    .init("connectionProxyDictionary", "switched off") {
      $0.connectionProxyDictionary = [
        "HTTPEnable": 0, "HTTPProxy": "proxy.test", "HTTPSEnable": false, "SOCKSEnable": 0,
        "ProxyAutoConfigEnable": 0, "ProxyAutoDiscoveryEnable": 0, "ExceptionsList": ["*.local"],
      ]
    },
    .init("connectionProxyDictionary", "a script that is switched off, and what concerns neither scheme") {
      $0.connectionProxyDictionary = [
        kCFNetworkProxiesProxyAutoConfigEnable: false,
        kCFNetworkProxiesProxyAutoConfigURLString: "http://a.test/proxy.pac",
        kCFNetworkProxiesProxyAutoConfigJavaScript: "", "FTPEnable": 1, "FTPPassive": 1,
      ]
    },
    .init("connectionProxyDictionary", "for https alone") {
      $0.connectionProxyDictionary = ["HTTPSEnable": 1, "HTTPSProxy": "proxy.test", "HTTPSPort": 3128]
    },
    .init("tlsMinimumSupportedProtocolVersion", "1.0, of which 1.2 is more") {
      $0.tlsMinimumSupportedProtocolVersion = .TLSv10
    },
    .init("without meaning here") {
      $0.allowsCellularAccess = false
      $0.allowsExpensiveNetworkAccess = false
      $0.allowsConstrainedNetworkAccess = false
      $0.isDiscretionary = true
      $0.sessionSendsLaunchEvents = true
      $0.sharedContainerIdentifier = "group"
      $0.shouldUseExtendedBackgroundIdleMode = true
      $0.multipathServiceType = .handover
      $0.networkServiceType = .video
      $0.httpShouldUsePipelining = true
    },
  ]

  @Test(arguments: accepted) func isNotOverdone(_ setting: Setting<URLSessionConfiguration>) async throws {
    var configuration = URLSessionConfiguration.inMemory
    setting.change(&configuration)
    let (_, response) = try await URLSession(configuration: configuration).data(from: try url())
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  /// A proxy for https alone that is none: plain requests go, the redirect to https does not.
  @Test func aRedirectIsLookedAtAgain() async throws {
    let head = "HTTP/1.1 302 Found\r\nLocation: https://a.test/\r\nContent-Length: 0\r\n\r\n"
    origin.script("/there", .text(head))
    let configuration = URLSessionConfiguration.inMemory
    configuration.connectionProxyDictionary = ["HTTPSEnable": 1, "HTTPSPort": 3128]
    let session = URLSession(configuration: configuration)
    let error = await #expect(throws: URLError.self) { try await session.data(from: try url("/there")) }
    #expect(error?.code == .unsupportedURL)
    let text = error?.errorUserInfo[NSLocalizedDescriptionKey] as? String
    #expect(text?.contains("connectionProxyDictionary") == true)
  }

  /// Data that are no resume data are refused, not tried: there is an error, and it says which member was asked for.
  @Test func resumingADownloadWithOtherData() async throws {
    let session = URLSession(configuration: .inMemory)
    let error = await #expect(throws: URLError.self) {
      try await session.download(resumeFrom: Data("anything".utf8))
    }
    #expect(error?.code == .unsupportedURL)
    let text = try #require(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String)
    #expect(text.contains("downloadTask(withResumeData:)"))
    // There is no address that it could name.
    #expect(text.hasPrefix("The request was not sent: "))
    #expect(error?.failingURL == nil)
  }

  /// The caches on the way are told what the policy says of them (RFC 9111 §5.2.1).
  @Test(arguments: [
    (URLRequest.CachePolicy.reloadIgnoringLocalAndRemoteCacheData, "no-cache"),
    (.reloadRevalidatingCacheData, "max-age=0"),
  ])
  func thePolicyReachesTheCachesOnTheWay(_ policy: URLRequest.CachePolicy, _ field: String) async throws {
    var request = URLRequest(url: try url())
    request.cachePolicy = policy
    let asking = request
    _ = try await URLSession(configuration: .inMemory).data(for: asking)
    let configuration = URLSessionConfiguration.inMemory
    configuration.requestCachePolicy = policy
    _ = try await URLSession(configuration: configuration).data(from: try url())
    request.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
    let stating = request
    _ = try await URLSession(configuration: .inMemory).data(for: stating)
    #expect(origin.requests.map { $0.value("Cache-Control") } == [field, field, "only-if-cached"])
  }
}
