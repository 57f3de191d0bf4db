// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Every kind of proxy with every scheme.
@Suite struct ProxyMatrixTests {
  private static func host(_ kind: Proxy.Kind) -> String {
    // Who is told addresses only cannot be asked for a name that leads nowhere from here.
    kind == .socks4 || kind == .socks5 ? "localhost" : ProxyStand.name
  }

  enum Way: CaseIterable, Sendable { case plain, secure, plainByTunnel }

  @Test(arguments: Proxy.Kind.allCases, Way.allCases)
  func requestsGoThrough(kind: Proxy.Kind, way: Way) async throws {
    let (isSecure, tunnelsPlain) = (way == .secure, way == .plainByTunnel)
    let stand = try ProxyStand()
    defer { stand.stop() }
    var proxy = stand.made(kind)
    proxy.tunnelsPlainRequests = tunnelsPlain
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    let origin = isSecure ? stand.secure : stand.plain
    for body in [nil, Data("a".utf8), Data(repeating: 7, count: 300_000)] {
      let path = body == nil ? "/get" : "/post"
      var request = URLRequest(url: try stand.url(path, isSecure: isSecure, host: Self.host(kind)))
      request.httpMethod = body == nil ? "GET" : "POST"
      request.httpBody = body
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(origin.requests.map(\.bodyLength) == [0, 1, 300_000])
    // One connection for all of them.
    #expect(stand.double(kind).connections == 1 && origin.connectionCount == 1)
    let isAbsolute = !isSecure && !tunnelsPlain && (kind == .http || kind == .https)
    #expect(origin.requests.allSatisfy { $0.target.hasPrefix("http://") == isAbsolute })
    #expect(origin.requests.allSatisfy { $0.value("Host") == "\(Self.host(kind)):\(origin.port)" })
    let asked = try #require(stand.double(kind).asked.first)
    switch kind {
    case .http, .https:
      #expect(
        asked.line.hasPrefix(
          isAbsolute ? "GET http://" : "CONNECT \(ProxyStand.name):\(origin.port) HTTP/1.1"))
    case .socks4: #expect(asked.text == "SOCKS4 127.0.0.1:\(origin.port)")
    case .socks4a: #expect(asked.text == "SOCKS4 \(ProxyStand.name):\(origin.port)")
    case .socks5: #expect(asked.text.hasPrefix("SOCKS5 ") && !asked.text.contains("localhost"))
    case .socks5h: #expect(asked.text == "SOCKS5 \(ProxyStand.name):\(origin.port)")
    }
  }

  @Test(arguments: Proxy.Kind.allCases, [false, true])
  func webSocketsGoThrough(kind: Proxy.Kind, isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(kind))
    defer { session.invalidateAndCancel() }
    let text = try stand.url("/websocket/echo", isSecure: isSecure, host: Self.host(kind)).absoluteString
    let task = session.webSocketTask(with: try #require(URL(string: "ws" + text.dropFirst(4))))
    task.resume()
    for message in ["one", String(repeating: "two", count: 50_000)] {
      try await task.send(.string(message))
      #expect(try await task.receive() == .string(message))
    }
    task.cancel(with: .normalClosure, reason: nil)
    // In plain, too, it goes through a tunnel (RFC 6455 §4.1).
    let asked = try #require(stand.double(kind).asked.first)
    #expect(asked.line.hasPrefix("CONNECT ") || asked.line.hasPrefix("SOCKS"))
    let origin = isSecure ? stand.secure : stand.plain
    #expect(origin.requests.first?.target == "/websocket/echo")
  }

  @Test(arguments: Proxy.Kind.allCases) func theMetricsTellOfIt(kind: Proxy.Kind) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let delegate = RecordingDelegate()
    let session = try stand.session(stand.made(kind), delegate: delegate)
    defer { session.invalidateAndCancel() }
    session.dataTask(with: try stand.url(isSecure: true, host: Self.host(kind))).resume()
    await Eventually.expect("it is complete") { delegate.record.isComplete }
    let transaction = try #require(delegate.record.metrics?.transactionMetrics.first)
    #expect(transaction.isProxyConnection)
    #expect(transaction.remotePort == Int(stand.double(kind).port))
    let (connect, secure) = (transaction.connectStartDate, transaction.secureConnectionStartDate)
    #expect(try #require(connect) <= #require(secure))
    #expect(try #require(secure) <= #require(transaction.connectEndDate))
  }

  @Test func withoutAProxyTheMetricsSaySo() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let delegate = RecordingDelegate()
    let session = try stand.session(delegate: delegate)
    defer { session.invalidateAndCancel() }
    session.dataTask(with: try stand.url(host: "localhost")).resume()
    await Eventually.expect("it is complete") { delegate.record.isComplete }
    #expect(delegate.record.metrics?.transactionMetrics.first?.isProxyConnection == false)
  }

  /// All addresses of the host are tried, as the proxy refuses one after the other.
  @Test func anotherAddressIsTried() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { asked in
      asked.text.contains("[") ? .sayAndClose([5, 4, 0, 1, 0, 0, 0, 0, 0, 0]) : .connect
    }
    let session = try stand.session(stand.made(.socks5))
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url(host: "localhost"))
    #expect(stand.proxy.asked.count == 2 && stand.proxy.connections == 2)
  }

  @Test func aHundredTunnelsAtOnceAndNothingIsLeft() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.http)) { $0.httpMaximumConnectionsPerHost = 100 }
    let url = try stand.url("/bytes/2000", isSecure: true)
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 { group.addTask { try await session.data(from: url).0.count } }
      for try await count in group { #expect(count == 2000) }
    }
    #expect(stand.secure.requests.count == 100)
    session.invalidateAndCancel()
    await Eventually.expect("nothing is left") { stand.proxy.open == 0 && stand.secure.openConnections == 0 }
  }
}
