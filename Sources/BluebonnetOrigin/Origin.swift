// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTransport

/// A small HTTP/1.1 server inside the process, to test clients against.
///
///     let origin = try Origin.start()
///     let reply = try await AF.request(origin.baseURL + "/get").serializingString().value
///     #expect(origin.requests.last?.value("Accept-Encoding") != nil)
///
/// It serves the endpoints that are listed in the article *The origin*, records what it receives, and does what
/// scripts tell it to, well-formed or not. It runs on an event loop and a thread of its own. It is no server for
/// production: every client that can reach it may ask for anything, and its bodies are held in memory.
public final class Origin: Sendable {
  /// The fate of new connections.
  public enum Reception: Sendable, Hashable {
    /// The connection's requests are served; the default.
    case serve
    /// They are closed as soon as they are accepted.
    case close
    /// They are reset as soon as they are accepted.
    case reset
    /// They are accepted, and nothing is ever read or written; over TLS there is not even a handshake.
    case silence
  }

  /// `http://127.0.0.1:PORT`, `https://localhost:PORT` and the like; for a Unix-domain socket without a port.
  public let baseURL: String
  /// The port, or 0 for a Unix-domain socket.
  public let port: UInt16
  /// The PEM text of the certificate that issued the origin's own, if it was made in memory.
  public let authority: String?
  /// The PEM texts of the origin's own chain, if it speaks TLS.
  public let certificateChain: String?

  private let server: any ConnectionServer

  /// Starts an origin. It accepts connections when this returns.
  public static func start(
    security: Security = .plain, on endpoint: Endpoint = .ipv4()
  ) throws(OriginError) -> Origin {
    try Origin(security: security, endpoint: endpoint)
  }

  private init(security: Security, endpoint: Endpoint) throws(OriginError) {
    let identity: OriginIdentity?
    var clients = TLSServerConfiguration.ClientCertificates.ignored
    switch security {
    case .plain: (identity, authority) = (nil, nil)
    case .identity(let given): (identity, authority) = (given, nil)
    case .tls:
      let issuer = try OriginAuthority()
      identity = try issuer.issue()
      authority = issuer.certificate
    case .clients(let issuer, let required):
      identity = try issuer.issue()
      authority = issuer.certificate
      let anchors = [issuer.authority.certificate]
      clients = required ? .required(anchors: anchors) : .requested(anchors: anchors)
    }
    certificateChain = identity?.certificateChain
    let server = try Server(identity: identity, clients: clients)
    try server.listen(on: endpoint)
    self.server = server
    port = server.port
    baseURL = server.baseURL
  }

  /// An origin without a socket and a thread, which clients of this process reach with ``connect(on:)`` alone. It speaks no
  /// TLS, and its handlers run on the client's event loop.
  ///
  /// - Parameter port: The port of its ``baseURL``.
  package init(inMemoryAt port: UInt16) {
    (authority, certificateChain) = (nil, nil)
    server = ChannelServer(peer: "127.0.0.1")
    self.port = port
    baseURL = Endpoint.ipv4().baseURL(isSecure: false, port: port)
  }

  /// The client's end of a new connection to an origin without a socket; nil if it was stopped. In loop context.
  package func connect(on loop: EventLoop) -> (any Channel)? {
    (server as? ChannelServer)?.connect(on: loop, base: baseURL)
  }

  deinit { server.stop() }

  /// Closes everything and ends the origin's thread. Not to be called from a handler.
  public func stop() { server.stop() }
}

extension Origin {
  /// The requests received, in the order in which their heads were complete. The newest 10,000 are kept.
  public var requests: [RecordedRequest] { server.log.requests }

  /// The number of connections accepted.
  public var connectionCount: Int { server.log.connections }

  /// The number of connections open now.
  public var openConnections: Int { server.log.openConnections }

  /// The number of open connections that have come to ``ScriptedReply/Step/hang``. A short reply before it is in the client's
  /// socket by then.
  public var hangingConnections: Int { server.log.hangingConnections }

  /// Forgets the requests received so far.
  public func forgetRequests() { server.log.forgetRequests() }

  /// Closes all connections now, in the middle of what they do; over TLS without close_notify.
  ///
  /// - Parameter resetting: Whether the clients see a reset instead of the end of the stream.
  public func dropConnections(resetting: Bool = false) { server.dropConnections(resetting: resetting) }

  /// Sends unsolicited bytes, at once and whatever the connection is doing; over TLS in records of their
  /// own.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, sent as they are.
  ///   - connection: The number of an open connection; see ``RecordedRequest/connection``.
  /// - Returns: Whether all of them have left when this returns. Through a Unix-domain socket they are in the
  ///   client's socket then.
  @discardableResult
  public func interject(_ bytes: [UInt8], on connection: Int) -> Bool {
    server.interject(bytes, on: connection)
  }

  /// The fate of connections that are accepted from now on.
  public var reception: Reception {
    get { server.log.reception }
    set { server.log.reception = newValue }
  }

  /// Tells what to do on requests for `path`, instead of any endpoint: each request takes the next of the
  /// replies, and the last one stays. `path` may include a query. Without replies the scripts of `path` are gone.
  public func script(_ path: String, _ replies: ScriptedReply...) { server.log.script(path, replies) }

  /// Asks `handler` what to do on requests for `path` that no script is about; nil takes the handler away.
  ///
  /// A path that ends with `/*` stands for all paths that begin so: `/files/*` for `/files/`, `/files/a` and `/files/a/b`, not for
  /// `/files`. A handler for the path itself comes first, then the one for the longest such path. Scripts know no such paths.
  ///
  /// The handler runs on the origin's thread when the whole request is there. It must not block, or the origin
  /// does nothing else meanwhile.
  public func handle(_ path: String, _ handler: (@Sendable (RecordedRequest) -> ScriptedReply)?) {
    server.log.handle(path, handler)
  }

  /// The security of an origin's connections.
  public enum Security: Sendable, Hashable {
    /// In the clear, without TLS.
    case plain
    /// TLS with a certificate for `localhost`, `127.0.0.1` and `::1` that a new authority issues in memory; clients
    /// that trust ``Origin/authority`` accept it.
    case tls
    /// TLS as with ``tls``, with a certificate of this authority's. Clients are asked for a certificate of the same
    /// authority's: one that has none is served only if it is not required, one with a bad one never.
    case clients(of: OriginAuthority, required: Bool = true)
    /// TLS with a certificate and a key of your own.
    case identity(OriginIdentity)
  }

  /// The endpoint that an origin listens on: an IP address and a port, or a path of the file system.
  public enum Endpoint: Sendable, Hashable {
    /// 127.0.0.1, at a free port unless one is given.
    case ipv4(port: UInt16 = 0)
    /// ::1, at a free port unless one is given.
    case ipv6(port: UInt16 = 0)
    /// A Unix-domain socket at this path; it must not exist yet and is removed when the origin stops.
    case unix(path: String)
  }
}

extension Origin.Endpoint {
  func address() throws(OriginError) -> SocketAddress {
    switch self {
    case .ipv4(let port): return .loopback(port: port)
    case .ipv6(let port): return .loopback6(port: port)
    case .unix(let path):
      guard let address = SocketAddress(unixPath: path) else {
        throw OriginError("the origin cannot listen: the socket's path is too long")
      }
      return address
    }
  }

  var socketPath: String? {
    if case .unix(let path) = self { path } else { nil }
  }

  /// The URL that clients put before a path. With a name where TLS has to verify one, an address otherwise.
  func baseURL(isSecure: Bool, port: UInt16) -> String {
    switch self {
    case .ipv4: isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
    case .ipv6: "\(isSecure ? "https" : "http")://[::1]:\(port)"
    case .unix: isSecure ? "https://localhost" : "http://localhost"
    }
  }
}
