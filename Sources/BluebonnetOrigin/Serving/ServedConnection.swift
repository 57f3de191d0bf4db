import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One accepted connection: requests in, replies out, one after the other. Used in loop context only.
///
/// Requests are parsed only while no reply is under way, so a client that sends ahead fills its own buffers. A
/// reply is made only as fast as the client takes it.
///
/// A client that closes its side while the origin waits (in a pause or for ever) is taken to be gone.
final class ServedConnection: ReadinessHandler {
  enum Phase {
    /// Receives and parses.
    case listening
    /// Sends the steps of a reply.
    case replying
    /// Waits within a reply, for its timer or, if there is none, for the client to go away.
    case waiting(TimerToken?)
    /// Sends what is left, then ends its side.
    case departing(patiently: Bool)
    /// Has ended its side and throws away what still comes, until the client has ended its own or, if there is a
    /// timer, that fires.
    case lingering(TimerToken?)
    case closed
  }

  /// How much may wait for the socket before a reply is made no further.
  private static let backlogLimit = 4 * StepQueue.pieceSize
  /// How long a client may take to notice that the origin has closed.
  private static let patience = Duration.seconds(2)

  let number: Int
  let peer: String
  let server: Server
  let wire: Wire

  var input = InputBuffer()
  var parser = RequestParser()
  var exchange: Exchange?
  var requestCount = 0

  private var registration: Registration?
  private var phase = Phase.listening
  private var steps = StepQueue([])
  private var hasInputEnded = false
  private var isPeerGone = false
  private var isPumping = false

  init(_ wire: Wire, number: Int, peer: String, server: Server) {
    self.wire = wire
    self.number = number
    self.peer = peer
    self.server = server
  }

  /// Begins to serve, or only to exist if it is to be silent.
  func start(silently: Bool) {
    if silently { phase = .waiting(nil) }
    do throws(SystemError) {
      registration = try server.loop.register(wire.number, handler: self)
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
    if resetting { wire.resetOnClose() }
    if let registration = registration.take() { server.loop.deregister(registration) }
    wire.close()
    server.forget(self)
  }

  func ready(_ readiness: Readiness) {
    if readiness.contains(.error) { return close() }
    if readiness.contains(.hangup) {
      isPeerGone = true
      if case .waiting = phase { return close() }
    }
    pump()
  }

  /// Goes on until the socket or a timer has to come first.
  func pump() {
    // A step may lead here again; the outer round goes on anyway.
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while wire.flush() {
      switch phase {
      case .listening: guard takeInput() else { return }
      case .replying:
        guard wire.backlog < Self.backlogLimit else { return }
        takeStep()
      case .departing(let patiently):
        guard wire.backlog == 0 else { return }
        wire.endSending()
        phase = .lingering(patiently ? nil : timer(Self.patience) { $0.close() })
      case .lingering: guard discardInput() else { return }
      case .waiting, .closed: return
      }
    }
    close()
  }

  private func timer(
    _ delay: Duration, _ action: @escaping (ServedConnection) -> Void
  ) -> TimerToken {
    server.loop.schedule(at: server.loop.now.adding(delay)) { [weak self] in
      if let self { action(self) }
    }
  }
}

// MARK: Input

extension ServedConnection {
  /// Parses what is there, or receives more. False if there is nothing to go on with.
  private func takeInput() -> Bool {
    if parse() { return true }
    if hasInputEnded {
      // Between requests or inside one: either way nothing more can come of it.
      wire.notifyOfClose()
      phase = .departing(patiently: false)
      return true
    }
    switch wire.receive(into: &input) {
    case .some: return true
    case .nothing: return false
    case .end:
      hasInputEnded = true
      return true
    }
  }

  private func discardInput() -> Bool {
    input.removeAll()
    switch wire.receive(into: &input) {
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
  /// Begins a reply.
  func perform(_ steps: [ScriptedReply.Step]) {
    self.steps = StepQueue(steps)
    phase = .replying
  }

  /// Sends bytes out of turn. False if not all of them have left.
  func interject(_ bytes: [UInt8]) -> Bool {
    guard wire.isShaken else { return false }
    wire.write(bytes[...])
    guard wire.flush() else {
      close()
      return false
    }
    return wire.backlog == 0
  }

  private func takeStep() {
    switch steps.next() {
    case .send(let bytes): wire.write(bytes)
    case .pause(let milliseconds):
      phase = .waiting(
        timer(.milliseconds(milliseconds)) { connection in
          connection.phase = .replying
          connection.pump()
        })
    case .hang:
      if isPeerGone { close() } else { phase = .waiting(nil) }
    case .closeWrite:
      wire.notifyOfClose()
      phase = .departing(patiently: true)
    case .close:
      wire.notifyOfClose()
      phase = .departing(patiently: false)
    case .abruptClose: phase = .departing(patiently: false)
    case .reset: close(resetting: true)
    case nil:
      phase = .listening
      replyIsSent()
    }
  }
}
