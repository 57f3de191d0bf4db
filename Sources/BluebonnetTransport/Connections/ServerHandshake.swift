// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS

/// The client of a handshake: it decides about the server and about this side's identity, always while the loop is held.
protocol ServerHandshakeClient: AnyObject {
  /// The evaluator of servers' trust; nil stands for the default verification.
  var trustEvaluator: AnyObject? { get }
  /// TLS is spoken from here on.
  func secured(_ facts: ConnectionFacts)
  /// The server's certificate awaits a decision, which may be told at once or later, from any thread.
  ///
  /// - Parameter evaluator: `trustEvaluator` as it was when the question came up. The server counts as let in by it from here
  ///   on.
  func evaluate(
    _ trust: ServerTrust, by evaluator: AnyObject?, decision: @escaping @Sendable (TrustDecision) -> Void)
  /// The server was let in, and has asked for a certificate.
  ///
  /// - Parameter answer: may be called at once or later, in loop context.
  func identify(to request: CertificateRequest, answer: @escaping @Sendable (CertificateAnswer) -> Void)
  /// The server is going to be told so.
  ///
  /// - Returns: false if the handshake is not to go on. Then it has been closed.
  func certificateIsAnswered(_ answer: CertificateAnswer) -> Bool
  /// The last call: the server was let in, and the channel is the client's; or it was not, and the client has to close it.
  func handshakeEnded(_ failure: ConnectingFailure?)
}

/// A new connection's way to a server that is let in: the handshake of TLS, the server's certificate, and this side's own where
/// the server asks for one.
///
///     shaking ──▶ evaluating ──▶ over
///        ▲            └──▶ identifying
///        └──────────────────────┘
///
/// Touched only while the loop is held. While it works, the channel keeps it alive.
final class ServerHandshake {
  private enum Stage {
    case shaking
    /// The handshake is done, or waits for what the server has asked for; the server's certificate awaits its decision.
    case evaluating
    /// The server was let in, and the client has to give its identity.
    case identifying
    case over
  }

  let channel: TLSChannel
  /// Although the default verification refuses it, the server was let in.
  private(set) var isUnverified = false
  private let loop: EventLoop
  private var stage = Stage.shaking
  private var client: (any ServerHandshakeClient)?
  private var isLetIn = false
  /// The facts of the connection below TLS.
  private let known: ConnectionFacts?

  /// - Parameter unread: The bytes received over the socket so far, which belong to TLS.
  init(
    _ engine: TLSEngine, over socket: any Channel, unread: [UInt8], _ known: ConnectionFacts?,
    client: any ServerHandshakeClient
  ) {
    channel = TLSChannel(engine, over: socket, unread: unread)
    loop = socket.loop
    self.known = known
    self.client = client
  }

  /// Begins. The client may be told of the end before this returns.
  func start() {
    channel.owner = self
    advance()
  }

  /// Closes the channel; the client, if any, hears nothing more.
  func close() {
    _ = leave()
    channel.close()
  }

  /// Takes the handshake as far as the bytes at hand allow.
  private func advance() {
    switch channel.handshake() {
    case .later: break
    case .complete: secured()
    // Credentials are only for a server that is trusted.
    case .certificateRequested: ask()
    case .failed(.tls(let error)): fail(.tls(error))
    case .failed(.network(let error)): fail(.network(error))
    }
  }

  private func secured() {
    let engine = channel.engine
    client?.secured(
      ConnectionFacts(
        localAddress: known?.localAddress, remoteAddress: known?.remoteAddress, tried: known?.tried ?? [],
        isProxied: known?.isProxied ?? false, servesOneRequest: known?.servesOneRequest ?? false,
        tlsVersion: engine.version, tlsCipherSuite: engine.cipherSuite,
        applicationProtocol: engine.negotiatedProtocol, tlsGroup: engine.group,
        isTLSResumed: engine.wasResumed, serverTrust: engine.serverTrust))
    // It may have been let in when it asked for a certificate.
    if isLetIn { succeed() } else { ask() }
  }

  private func ask() {
    guard let client else { return }
    stage = .evaluating
    // Read once: the one asked is the one recorded, also if the client has another one by then.
    let evaluator = client.trustEvaluator
    guard let trust = channel.engine.serverTrust else {
      return end(.failed(.untrusted(nil), during: .securing))
    }
    let handshake = LoopConfined(self)
    client.evaluate(trust, by: evaluator) { [loop] decision in
      loop.execute { handshake.value.decided(decision) }
    }
  }

  private func decided(_ decision: TrustDecision) {
    // Otherwise it is a second answer, or one that comes too late.
    guard case .evaluating = stage else { return }
    let failure = channel.engine.verificationFailure
    if let refusal = decision.refusal(after: failure) { return end(.failed(refusal, during: .securing)) }
    isLetIn = true
    isUnverified = failure != nil
    if channel.engine.isHandshakeComplete { succeed() } else { identify() }
  }

  /// The server has asked for a certificate in the handshake, which waits.
  private func identify() {
    guard let request = channel.engine.certificateRequest else {
      return assertionFailure("a handshake that waits has been asked something")
    }
    stage = .identifying
    let handshake = LoopConfined(self)
    client?.identify(to: request) { [loop] answer in
      loop.execute { handshake.value.identified(answer) }
    }
  }

  private func identified(_ answer: CertificateAnswer) {
    guard case .identifying = stage, let client, client.certificateIsAnswered(answer) else { return }
    stage = .shaking
    do throws(TLSError) {
      try channel.engine.authenticate(with: answer.identity)
    } catch {
      return fail(.tls(error))
    }
    advance()
  }

  private func succeed() {
    do throws(TLSError) {
      try channel.engine.mayBeAskedLater()
    } catch {
      return fail(.tls(error))
    }
    end(nil)
  }

  private func fail(_ cause: TransportError.Cause) { end(.failed(cause, during: nil)) }

  private func end(_ failure: ConnectingFailure?) { leave()?.handshakeEnded(failure) }

  private func leave() -> (any ServerHandshakeClient)? {
    stage = .over
    channel.owner = nil
    return client.take()
  }
}

extension ServerHandshake: ChannelOwner {
  func channelIsReady(hasRoom: Bool) {
    // While a certificate is being evaluated, what comes stays in the kernel: an evaluator may take long.
    if case .shaking = stage { advance() }
  }
}
