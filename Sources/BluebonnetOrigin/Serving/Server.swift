// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc
import BluebonnetTLS
import BluebonnetTransport

/// The origin's loop, its listener and its connections.
///
/// `@unchecked Sendable`: the variables are only touched in loop context.
final class Server: ConnectionServer, @unchecked Sendable {
  let log: RequestLog
  let loop: EventLoop
  let tls: TLSContext?
  var catalogue = Catalogue()
  private(set) var baseURL = ""
  private(set) var port: UInt16 = 0

  private var listener: Listener?
  private var socketPath: String?
  private var connections: [Int: ServedConnection] = [:]
  /// The plaintext of TLS; one buffer for all connections, since only one reads at a time.
  private var plaintext = ReceiveBuffer()

  /// Answers in place of scripts, handlers and endpoints; the string is what the client puts before a path. It may take its
  /// time, and answers once.
  typealias Responder =
    @Sendable (RecordedRequest, _ base: String, _ answer: @escaping @Sendable (ScriptedReply) -> Void) -> Void

  let responder: Responder?

  /// Whether an endpoint of the origin answers, if no script does.
  func isCatalogue(for record: RecordedRequest) -> Bool {
    responder == nil && log.handler(for: record) == nil
  }

  /// A server that is handed its connections.
  init(loop: EventLoop, log: RequestLog, responder: Responder?) {
    self.loop = loop
    self.log = log
    self.responder = responder
    tls = nil
  }

  init(
    identity: OriginIdentity?, clients: TLSServerConfiguration.ClientCertificates = .ignored
  ) throws(OriginError) {
    log = RequestLog()
    responder = nil
    do throws(TLSError) {
      tls = try identity.map { identity throws(TLSError) in
        try TLSContext(
          server: TLSServerConfiguration(
            identity: identity.identity(), clientCertificates: clients,
            stapledResponse: identity.stapledResponse))
      }
    } catch {
      throw OriginError(error)
    }
    loop = EventLoop(name: "origin")
  }

  /// Begins to listen. The first connection already finds the URL.
  func listen(on endpoint: Origin.Endpoint) throws(OriginError) {
    do {
      let address = try endpoint.address()
      try loop.withLoop { () throws(SystemError) in
        let listener = try Listener(loop: loop, address: address) { self.accept($0, from: $1) }
        self.listener = listener
        socketPath = endpoint.socketPath
        port = listener.address.port ?? 0
        baseURL = endpoint.baseURL(isSecure: tls != nil, port: port)
      }
    } catch {
      loop.stop()
      throw (error as? SystemError).map { OriginError($0) } ?? (error as? OriginError)
        ?? OriginError("the origin cannot listen")
    }
  }

  func stop() {
    loop.withLoop {
      guard let listener = listener.take() else { return }
      listener.close()
      if let socketPath { unlink(socketPath) }
      for connection in connections.values { connection.close() }
    }
    loop.stop()
  }

  func dropConnections(resetting: Bool) {
    loop.withLoop {
      for connection in connections.values { connection.close(resetting: resetting) }
    }
  }

  func interject(_ bytes: [UInt8], on number: Int) -> Bool {
    loop.withLoop { connections[number]?.interject(bytes) ?? false }
  }

  private func accept(_ descriptor: consuming FileDescriptor, from peer: SocketAddress?) {
    // Replies are written in few large pieces; waiting for more to send would only delay them.
    if peer?.port != nil { try? Syscall.setNoDelay(descriptor.rawValue) }
    serve(
      SocketChannel(descriptor, loop: loop),
      peer: peer.map { $0.family == .unix ? "unix" : $0.host } ?? "unix", base: baseURL)
  }

  /// Serves a client at the other end of a channel. In loop context.
  func serve(_ channel: any Channel, peer: String, base: String) {
    let (number, reception) = log.opened()
    if reception == .reset { channel.resetOnClose() }
    if reception == .close || reception == .reset {
      log.closed()
      return channel.close()
    }
    do throws(TLSError) {
      let engine = try tls.map { context throws(TLSError) in try TLSEngine(context: context) }
      let connection = ServedConnection(
        channel, engine: engine, number: number, peer: peer, server: self, base: base)
      connections[number] = connection
      connection.start(silently: reception == .silence)
    } catch {
      log.closed()
      channel.close()
    }
  }

  func withPlaintextBuffer<R>(_ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
    let buffer = plaintext.lend()
    defer { plaintext.giveBack(buffer) }
    return body(buffer)
  }

  /// A connection has closed itself.
  func forget(_ connection: ServedConnection) {
    connections[connection.number] = nil
    log.closed(hanging: connection.hangs)
  }
}
