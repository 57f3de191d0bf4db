// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Which requests go through a proxy.
@Suite struct ProxySelectionTests {
  /// Whether a request to `localhost` went through the proxy.
  private func isProxied(
    _ stand: ProxyStand, isSecure: Bool = false, host: String = "localhost",
    _ change: (URLSessionConfiguration) -> Void
  ) async throws -> Bool {
    let before = stand.proxy.connections
    let session = try stand.session(nil, change)
    defer { session.invalidateAndCancel() }
    let (_, response) = try await session.data(from: try stand.url(isSecure: isSecure, host: host))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    return stand.proxy.connections > before
  }

  @Test func exceptionsGoWithout() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let proxy = stand.made(.http)
    #expect(try await isProxied(stand) { $0.proxySelection = .proxy(proxy) })
    #expect(try await isProxied(stand) { $0.proxySelection = .proxy(proxy, except: "127.0.0.0/8,.test") })
    #expect(try await !isProxied(stand) { $0.proxySelection = .proxy(proxy, except: "a.test localhost") })
    #expect(
      try await !isProxied(stand, host: "127.0.0.1") {
        $0.proxySelection = .proxy(proxy, except: "127.0.0.0/8")
      })
    #expect(try await !isProxied(stand) { $0.proxySelection = .proxy(proxy, except: "*") })
    #expect(try await !isProxied(stand) { $0.proxySelection = .none })
  }

  @Test func theEnvironmentIsReadWhereThatIsAskedFor() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let here = "127.0.0.1:\(stand.proxy.port)"
    #expect(try await isProxied(stand) { $0.proxySelection = .environment(["http_proxy": here]) })
    #expect(try await !isProxied(stand) { $0.proxySelection = .environment(["HTTP_PROXY": here]) })
    #expect(
      try await !isProxied(stand, isSecure: true) { $0.proxySelection = .environment(["http_proxy": here]) })
    #expect(
      try await isProxied(stand, isSecure: true) { $0.proxySelection = .environment(["HTTPS_PROXY": here]) })
    #expect(
      try await isProxied(stand, isSecure: true) {
        $0.proxySelection = .environment(["all_proxy": "socks5h://\(here)"])
      })
    #expect(
      try await !isProxied(stand) {
        $0.proxySelection = .environment(["http_proxy": here, "no_proxy": "localhost"])
      })
    #expect(try await !isProxied(stand) { $0.proxySelection = .environment([:]) })
  }

  @Test func theDictionaryIsKeptTo() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let (host, port) = ("127.0.0.1", Int(stand.proxy.port))
    func check(_ dictionary: [AnyHashable: Any], isSecure: Bool = false, host: String = "localhost")
      async throws -> Bool
    {
      try await isProxied(stand, isSecure: isSecure, host: host) { $0.connectionProxyDictionary = dictionary }
    }
    let plain: [AnyHashable: Any] = [
      kCFNetworkProxiesHTTPEnable: true, kCFNetworkProxiesHTTPProxy: host, kCFNetworkProxiesHTTPPort: port,
    ]
    #expect(try await check(plain))
    #expect(try await !check(plain, isSecure: true))
    #expect(try await check(["HTTPProxy": host, "HTTPPort": "\(port)"]))
    #expect(try await !check(["HTTPEnable": 0, "HTTPProxy": host, "HTTPPort": port]))
    #expect(try await check(["HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port], isSecure: true))
    #expect(try await !check(["HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port]))
    let socks: [AnyHashable: Any] = [
      kCFNetworkProxiesSOCKSEnable: 1, kCFNetworkProxiesSOCKSProxy: host, kCFNetworkProxiesSOCKSPort: port,
    ]
    #expect(try await check(socks))
    #expect(try await check(socks, isSecure: true))
    #expect(stand.proxy.asked.last?.text == "SOCKS5 localhost:\(stand.secure.port)")
    #expect(try await check(socks.merging(["SOCKSVersion": "kCFStreamSocketSOCKSVersion4"]) { $1 }))
    #expect(stand.proxy.asked.last?.text == "SOCKS4 localhost:\(stand.plain.port)")
    for version: Any in [4, "5", "kCFStreamSocketSOCKSVersion5"] {
      #expect(try await check(socks.merging(["SOCKSVersion": version]) { $1 }))
    }
    for version: Any in [9, "x", "14", 0, "", "kCFStreamSocketSOCKSVersion6"] {
      let error = await #expect(throws: URLError.self) {
        try await check(socks.merging(["SOCKSVersion": version]) { $1 })
      }
      #expect(error?.refusedSetting?.reason.contains("SOCKSVersion") == true, "\(version)")
    }
    // What has a proxy of its own does not go through SOCKS.
    #expect(try await check(socks.merging(plain) { $1 }))
    #expect(stand.proxy.asked.last?.line.hasPrefix("GET http://") == true)
    #expect(try await !check(plain.merging(["ExceptionsList": ["local*"]]) { $1 }))
    #expect(try await !check(plain.merging([kCFNetworkProxiesExcludeSimpleHostnames: 1]) { $1 }))
    #expect(try await check(plain.merging([kCFNetworkProxiesExcludeSimpleHostnames: "no"]) { $1 }))
    #expect(try await check(plain.merging(["ExcludeSimpleHostnames": 1]) { $1 }, host: "127.0.0.1"))
    #expect(
      try await check(plain.merging([kCFProxyUsernameKey: "me", kCFProxyPasswordKey: "secret"]) { $1 }))
    #expect(stand.proxy.asked.last?.value("Proxy-Authorization") == "Basic bWU6c2VjcmV0")
    #expect(try await check(socks.merging(["SOCKSUser": "me", "SOCKSPassword": "secret"]) { $1 }))
    #expect(stand.proxy.asked.last?.password == "secret")
  }

  @Test func theFunctionIsAskedAboutEachRequest() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let asked = Locked<[String]>([])
    let proxy = stand.made(.http)
    let session = try stand.session { configuration in
      configuration.proxySelection = .select { url in
        asked.withLock { $0.append(url.path()) }
        return url.path() == "/get" ? proxy : nil
      }
    }
    defer { session.invalidateAndCancel() }
    let to = try stand.url("/get")
    stand.plain.script("/there", .text("HTTP/1.1 302 Found\r\nLocation: \(to)\r\nContent-Length: 0\r\n\r\n"))
    _ = try await session.data(from: try stand.url("/there", host: "localhost"))
    #expect(asked.withLock { $0 } == ["/there", "/get"])
    #expect(stand.proxy.asked.count == 1 && stand.plain.requests.count == 2)
  }

  struct Lost: Error, CustomStringConvertible { let description = "it is lost" }

  /// What cannot be kept to is no reason to go without a proxy.
  @Test func whatCannotBeHonouredIsRefused() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    var (wrongPort, wrongHost, wrongField) = (
      Proxy(.http, host: "a", port: 70_000), Proxy(.http, host: "a b", port: 1),
      Proxy(.http, host: "a", port: 1)
    )
    wrongField.additionalHeaders = ["X": "a\r\nb"]
    (wrongPort.user, wrongHost.user) = ("a", "b")
    let selections: [URLSessionConfiguration.ProxySelection] = [
      .proxy(wrongPort), .proxy(wrongHost), .proxy(wrongField),
      .environment(["http_proxy": "ftp://u:secret@a"]),
      .select { _ in throw Lost() },
    ]
    for selection in selections {
      let session = try stand.session { $0.proxySelection = selection }
      defer { session.invalidateAndCancel() }
      let url = try stand.url(host: "localhost")
      let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
      #expect(error?.code == .unsupportedURL)
      #expect(error?.refusedSetting?.member.contains("rox") == true, "\(error as Any)")
      #expect(error?.localizedDescription.contains("secret") == false)
    }
    // Two wishes at once.
    let session = try stand.session(stand.made(.http)) { $0.connectionProxyDictionary = [:] }
    defer { session.invalidateAndCancel() }
    let url = try stand.url(host: "localhost")
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.proxySelection")
    #expect(stand.plain.connectionCount == 0)
  }

  @Test func aUnixSocketNeedsNoProxy() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let path = "/tmp/bluebonnet-\(stand.proxy.port).sock"
    let origin = try Origin.start(on: .unix(path: path))
    defer { origin.stop() }
    let session = try stand.session(stand.made(.http)) { $0.unixSocketPath = path }
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url())
    #expect(origin.requests.count == 1 && stand.proxy.connections == 0)
  }

  @Test func aProxyIsReadFromItsText() throws {
    let proxy = try Proxy("socks5h://u%40x:p@[::1]:9050")
    #expect(proxy.kind == .socks5h && proxy.host == "::1" && proxy.port == 9050)
    #expect(proxy.user == "u@x" && proxy.password == "p")
    #expect(throws: RefusedSetting.self) { try Proxy("gopher://a") }
  }
}
