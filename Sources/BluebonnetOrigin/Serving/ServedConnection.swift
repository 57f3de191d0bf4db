// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport

/// One accepted connection: requests in, replies out, one after the other. Used in loop context only.
///
/// Requests are parsed only while no reply is under way, so a client that sends ahead fills its own buffers. A
/// reply is made only as fast as the client takes it.
///
/// A client that closes its side while the origin waits (in a pause or for ever) is taken to be gone.
final class ServedConnection {
  enum Phase {
    /// Receives and parses.
    case listening
    /// Sends the steps of a reply.
    case replying
    /// Waits within a reply, for its timer or, if there is none, for the client to go away.
    case waiting(TimerToken?)
    /// Speaks WebSocket.
    case speaking(ServedWebSocket)
    /// Sends the rest, says so if it is to be said, then ends its side.
    case departing(patiently: Bool, saying: Bool)
    /// Has ended its side and throws away what still comes, until the client has ended its own or, if there is a
    /// timer, that fires.
    case lingering(TimerToken?)
    case closed
  }

  /// The bytes that may wait for the socket before a reply is made no further.
  private static let backlogLimit = 4 * StepQueue.pieceSize
  /// The time that a client may take to notice that the origin has closed.
  private static let patience = Duration.seconds(2)

  let number: Int
  let peer: String
  /// The URL that the client puts before a path.
  let base: String
  let server: Server
  let channel: any Channel
  /// The channel, if it is TLS.
  private let tls: TLSChannel?
  private let socket: any Channel

  var input = InputBuffer()
  var parser = RequestParser()
  var exchange: Exchange?
  var requestCount = 0

  private var outbox = Outbox()
  /// Plaintext may be written: at once, but over TLS behind the handshake.
  private var isShaken: Bool
  private var phase = Phase.listening
  private var steps = StepQueue([])
  private var hasInputEnded = false
  /// A slow source of answers has answered.
  private var isAnswering = false
  private var isPumping = false
  /// A script has come to where it hangs.
  private(set) var hangs = false

  init(
    _ socket: any Channel, engine: TLSEngine?, number: Int, peer: String, server: Server, base: String
  ) {
    tls = engine.map { TLSChannel($0, over: socket) }
    channel = tls ?? socket
    self.socket = socket
    isShaken = engine == nil
    self.number = number
    self.peer = peer
    self.base = base
    self.server = server
  }

  /// Begins to serve, or only to exist if it is to be silent.
  func start(silently: Bool) {
    if silently { phase = .waiting(nil) }
    channel.owner = self
    do throws(SystemError) {
      try (socket as? SocketChannel)?.register()
    } catch {
      close()
    }
  }

  func close(resetting: Bool = false) {
    switch phase {
    case .closed: return
    case .waiting(let timer?), .lingering(let timer?): server.loop.cancel(timer)
    default: break
    }
    phase = .closed
    if resetting { channel.resetOnClose() }
    channel.close()
    server.forget(self)
  }

  /// Whether it goes on with a TLS session of an earlier connection.
  var isResumed: Bool { tls?.engine.wasResumed ?? false }

  /// The client's authenticated name.
  var clientName: String? { tls?.engine.peerCertificate?.commonName }

  /// Goes on until the socket or a timer has to come first.
  func pump() {
    // A step may lead here again; the outer round goes on anyway.
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while flush() {
      switch phase {
      case .listening: guard takeInput() else { return }
      case .replying:
        guard backlog < Self.backlogLimit else { return }
        takeStep()
      case .speaking(let socket):
        guard backlog < Self.backlogLimit, speak(socket) else { return }
      case .departing(let patiently, let saying):
        guard backlog == 0 else { return }
        if saying {
          channel.notifyOfClose()
          phase = .departing(patiently: patiently, saying: false)
          continue
        }
        channel.endSending()
        phase = .lingering(patiently ? nil : timer(Self.patience) { $0.close() })
      case .lingering: guard discardInput() else { return }
      case .waiting, .closed: return
      }
    }
    close()
  }

  func timer(
    _ delay: Duration, _ action: @escaping (ServedConnection) -> Void
  ) -> TimerToken {
    server.loop.schedule(at: server.loop.now.adding(delay)) { [weak self] in
      if let self { action(self) }
    }
  }
}

extension ServedConnection: ChannelOwner {
  func channelIsReady(hasRoom: Bool) {
    if case .waiting = phase, channel.hasHungUp { return close() }
    pump()
  }
}

// MARK: Input

extension ServedConnection {
  /// Parses the bytes at hand, or receives more. False if there is nothing to go on with.
  private func takeInput() -> Bool {
    if parse() { return true }
    if hasInputEnded {
      // Between requests or inside one: either way nothing more can come of it.
      phase = .departing(patiently: false, saying: true)
      return true
    }
    switch receive() {
    case .some: return true
    case .nothing: return false
    case .end:
      hasInputEnded = true
      return true
    }
  }

  private enum Reception {
    /// Something was received; over TLS not necessarily plaintext.
    case some
    /// Nothing before the next readiness.
    case nothing
    /// Nothing ever again.
    case end
  }

  /// Receives once and adds the plaintext to the input.
  private func receive() -> Reception {
    guard let tls else { return server.loop.withReceiveBuffer { receive(into: $0) } }
    guard isShaken else {
      switch tls.handshake() {
      case .complete: isShaken = true
      case .later: return .nothing
      // Only clients are asked for one.
      case .failed, .certificateRequested: return .end
      }
      return .some
    }
    return server.withPlaintextBuffer { receive(into: $0) }
  }

  private func receive(into buffer: UnsafeMutableRawBufferPointer) -> Reception {
    switch channel.read(into: buffer) {
    case .bytes(let count):
      input.append(buffer[..<count])
      return .some
    case .later: return .nothing
    case .end, .failed: return .end
    }
  }

  /// Goes on in another protocol, of which the input may hold the first bytes.
  func speak(as socket: ServedWebSocket) { phase = .speaking(socket) }

  /// Takes the bytes at hand, or receives more. False if there is nothing to go on with.
  private func speak(_ socket: ServedWebSocket) -> Bool {
    if !input.isEmpty {
      let isSound = socket.take(input.bytes[input.consumed...])
      input.removeAll()
      write(socket.takeOutgoing()[...])
      if !isSound || socket.isClosed { phase = .departing(patiently: false, saying: true) }
      return true
    }
    let late = socket.takeOutgoing()
    if !late.isEmpty {
      write(late[...])
      if socket.isClosed { phase = .departing(patiently: false, saying: true) }
      return true
    }
    return receiveOrClose()
  }

  private func discardInput() -> Bool {
    input.removeAll()
    return receiveOrClose()
  }

  /// Receives once. False if there is nothing to go on with; at the end the connection is closed.
  private func receiveOrClose() -> Bool {
    switch receive() {
    case .some: return true
    case .nothing: return false
    case .end:
      close()
      return false
    }
  }
}

// MARK: Replies

extension ServedConnection {
  /// The bytes waiting for the socket to take them.
  private var backlog: Int { outbox.count + channel.unsentBytes }

  /// Adds plaintext to the bytes to be sent.
  func write(_ bytes: ArraySlice<UInt8>) { outbox.append(bytes) }

  /// Sends what the channel takes. False if it will never take anything again.
  private func flush() -> Bool {
    while isShaken, !outbox.isEmpty {
      switch outbox.withPieces({ channel.write($0) }) {
      case .bytes(let count): outbox.drop(count)
      case .later: return true
      case .failed: return false
      }
    }
    if case .failed = channel.flush() { return false }
    return true
  }

  /// Begins a reply.
  func perform(_ steps: [ScriptedReply.Step]) {
    self.steps = StepQueue(steps)
    phase = .replying
  }

  /// Asks a source of answers that may be slow: nothing is done until then.
  func waitForAnswer(_ ask: (@escaping @Sendable (ScriptedReply) -> Void) -> Void) {
    phase = .waiting(nil)
    let (connection, ordinal) = (LoopConfined(self), requestCount)
    ask { [loop = server.loop] reply in
      loop.enqueue { connection.value.take(reply, to: ordinal) }
    }
  }

  /// The first answer to the request counts, if the client is still there.
  private func take(_ reply: ScriptedReply, to ordinal: Int) {
    guard case .waiting(nil) = phase, requestCount == ordinal, let exchange, !isAnswering else { return }
    isAnswering = true
    if reply.isEndpoint { answerFromCatalogue(exchange.record) } else { perform(reply.steps) }
    pump()
  }

  /// Sends bytes out of turn. False if not all of them have left.
  func interject(_ bytes: [UInt8]) -> Bool {
    guard isShaken else { return false }
    write(bytes[...])
    guard flush() else {
      close()
      return false
    }
    return backlog == 0
  }

  private func takeStep() {
    switch steps.next() {
    case .send(let bytes): write(bytes)
    case .pause(let milliseconds):
      phase = .waiting(
        timer(.milliseconds(milliseconds)) { connection in
          connection.phase = .replying
          connection.pump()
        })
    case .hang:
      if channel.hasHungUp { return close() }
      phase = .waiting(nil)
      hangs = true
      server.log.hangs()
    case .closeWrite: phase = .departing(patiently: true, saying: true)
    case .close: phase = .departing(patiently: false, saying: true)
    case .abruptClose: phase = .departing(patiently: false, saying: false)
    case .reset: close(resetting: true)
    case nil:
      phase = .listening
      isAnswering = false
      replyIsSent()
    }
  }
}
