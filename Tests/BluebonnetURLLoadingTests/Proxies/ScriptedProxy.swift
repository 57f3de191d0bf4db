// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import Glibc

@testable import BluebonnetTransport

/// A proxy for tests: HTTP (absolute form and CONNECT) and SOCKS 4, 4a and 5 on one port, in plain or over TLS. It connects to this
/// machine whatever host it is asked for, keeps what it was asked, and answers as it is told to.
final class ScriptedProxy: Sendable {
  /// What it was asked: the head of an HTTP request, or where to connect to by SOCKS.
  struct Asked: Sendable, Equatable {
    var connection: Int
    var text: String
    /// The name and the password that came with SOCKS.
    var user: String?
    var password: String?

    var line: String { text.split(separator: "\r\n").first.map(String.init) ?? text }

    func value(_ name: String) -> String? {
      text.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
  }

  /// What it does about a question.
  enum Answer: Sendable {
    /// As a proxy should: connects, says so, and passes on what comes.
    case connect
    /// Says this instead of its own words for success, and passes on what comes.
    case connectSaying([UInt8])
    /// Says this, and listens for the next question.
    case say([UInt8])
    /// Says this and closes.
    case sayAndClose([UInt8])
    case silence
    case reset

    static func say(_ text: String) -> Answer { .say(Array(text.utf8)) }
    static func sayAndClose(_ text: String) -> Answer { .sayAndClose(Array(text.utf8)) }
    static func connectSaying(_ text: String) -> Answer { .connectSaying(Array(text.utf8)) }
  }

  struct State {
    var asked: [Asked] = []
    var connections = 0
    var open = 0
    var answer: @Sendable (Asked) -> Answer = { _ in .connect }
    /// The method of SOCKS 5 that is chosen, whatever is offered; nil for what fits.
    var method: UInt8?
  }

  let loop: EventLoop
  let state = Locked(State())
  private let listener = Locked<Listener?>(nil)
  private let tls: TLSContext?
  /// Instead of the ports that it is asked for.
  private let ports: [UInt16: UInt16]

  var port: UInt16 { listener.withLock { $0?.address.port } ?? 0 }
  var asked: [Asked] { state.withLock { $0.asked } }
  var connections: Int { state.withLock { $0.connections } }
  /// Connections of clients that have not ended.
  var open: Int { state.withLock { $0.open } }

  /// - Parameter ports: Other ports for some that it is asked for.
  init(_ identity: OriginIdentity? = nil, ports: [UInt16: UInt16] = [:]) throws {
    loop = EventLoop(name: "proxy")
    self.ports = ports
    tls = try identity.map { identity in
      try TLSContext(
        server: TLSServerConfiguration(
          identity: try TLSIdentity(
            chainPEM: Array(identity.certificateChain.utf8), keyPEM: Array(identity.privateKey.utf8))))
    }
    let made = try Listener(loop: loop, address: .loopback(port: 0)) { [weak self] descriptor, _ in
      guard let self else { return }
      let channel = SocketChannel(descriptor, loop: self.loop)
      do { try channel.register() } catch { return channel.close() }
      let number = state.withLock { state in
        state.connections += 1
        state.open += 1
        return state.connections
      }
      let engine = self.tls.flatMap { try? TLSEngine(context: $0) }
      let served = ProxyConnection(self, number, engine.map { TLSChannel($0, over: channel) } ?? channel)
      served.begin()
    }
    listener.withLock { $0 = made }
  }

  func stop() {
    listener.withLock { $0.take() }?.close()
    loop.stop()
  }

  func answer(_ answer: @escaping @Sendable (Asked) -> Answer) {
    state.withLock { $0.answer = answer }
  }

  fileprivate func ask(_ asked: Asked) -> Answer {
    state.withLock { state in
      state.asked.append(asked)
      return state.answer
    }(asked)
  }

  fileprivate func target(_ port: UInt16) -> SocketAddress { .loopback(port: ports[port] ?? port) }
}

/// One client of the proxy. Loop-confined.
private final class ProxyConnection: ChannelOwner {
  private enum Phase { case securing, asking, silent, relaying, over }

  private let proxy: ScriptedProxy
  private let number: Int
  private let near: any Channel
  private var far: SocketChannel?
  private var phase = Phase.asking
  private var inbox: [UInt8] = []
  /// On its way to the client, and to the target.
  private var toNear: [UInt8] = []
  private var toFar: [UInt8] = []
  private var nearEnded = false
  private var farEnded = false
  private var closesWhenSent = false
  /// Of the body of a request that is not passed on, what has not come yet.
  private var bodyToSkip = 0
  /// How far SOCKS 5 has come.
  private var isGreeted = false
  private var credentials: (String, String)?
  private var awaitsCredentials = false

  init(_ proxy: ScriptedProxy, _ number: Int, _ channel: any Channel) {
    (self.proxy, self.number, near) = (proxy, number, channel)
  }

  func begin() {
    near.owner = self
    if near is TLSChannel { phase = .securing }
    step()
  }

  func channelIsReady(hasRoom: Bool) { step() }

  private func step() {
    if phase == .securing, let tls = near as? TLSChannel {
      switch tls.handshake() {
      case .later: return
      case .complete: phase = .asking
      case .failed, .certificateRequested: return end()
      }
    }
    // Who never answers still notices that the client has gone.
    if phase == .silent {
      if near.hasHungUp { end() }
      return
    }
    move()
  }

  private func move() {
    var moves = true
    while moves, phase != .over {
      moves = false
      if !nearEnded, phase == .asking || phase == .relaying && toFar.count < 65_536 {
        moves = read(near, into: phase == .asking ? \.inbox : \.toFar, \.nearEnded) || moves
      }
      if phase == .asking { moves = look() || moves }
      if phase == .over { return }
      if let far, phase == .relaying, !farEnded, toNear.count < 65_536 {
        moves = read(far, into: \.toNear, \.farEnded) || moves
      }
      if !toNear.isEmpty { moves = write(near, \.toNear) || moves }
      _ = near.flush()
      if let far, phase == .relaying, !toFar.isEmpty { moves = write(far, \.toFar) || moves }
    }
    if toNear.isEmpty, closesWhenSent || farEnded || nearEnded && phase == .asking { return end() }
    if nearEnded, toFar.isEmpty { far?.endSending() }
    if nearEnded, farEnded || far == nil { end() }
  }

  private func read(
    _ channel: any Channel, into bytes: ReferenceWritableKeyPath<ProxyConnection, [UInt8]>,
    _ ended: ReferenceWritableKeyPath<ProxyConnection, Bool>
  ) -> Bool {
    guard channel.mayRead else { return false }
    var reading = ChannelReading.later
    let piece = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
      reading = channel.read(into: UnsafeMutableRawBufferPointer(buffer))
      if case .bytes(let read) = reading { count = read }
    }
    switch reading {
    case .bytes: self[keyPath: bytes] += piece
    case .later: return false
    case .end, .failed: self[keyPath: ended] = true
    }
    return true
  }

  private func write(
    _ channel: any Channel, _ bytes: ReferenceWritableKeyPath<ProxyConnection, [UInt8]>
  ) -> Bool {
    switch self[keyPath: bytes].withUnsafeBytes({ channel.write($0) }) {
    case .bytes(let count):
      self[keyPath: bytes].removeFirst(count)
      return count > 0
    case .later: return false
    case .failed:
      self[keyPath: bytes] = []
      return false
    }
  }

  /// Looks for a question in what has come.
  private func look() -> Bool {
    let skipped = min(bodyToSkip, inbox.count)
    inbox.removeFirst(skipped)
    bodyToSkip -= skipped
    guard let first = inbox.first else { return false }
    switch first {
    case 4: return lookForSOCKS4()
    case 5: return lookForSOCKS5()
    case 1 where awaitsCredentials: return lookForCredentials()
    default: return lookForHead()
    }
  }

  private func lookForHead() -> Bool {
    let text = String(decoding: inbox, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
    let head = String(text[..<end.upperBound])
    let asked = ScriptedProxy.Asked(connection: number, text: head)
    let words = asked.line.split(separator: " ")
    let isTunnel = words.first == "CONNECT"
    let authority =
      isTunnel
      ? words[1]
      : words.count > 1 && words[1].hasPrefix("http://") ? words[1].dropFirst(7).prefix { $0 != "/" } : ""
    let port = authority.split(separator: "]").last?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
    // A request by its absolute form is passed on as it is.
    if isTunnel { inbox.removeFirst(head.utf8.count) }
    answer(
      asked, port, success: isTunnel ? Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8) : []
    ) { [self] in
      guard !isTunnel else { return }
      inbox.removeFirst(head.utf8.count)
      bodyToSkip = asked.value("Content-Length").flatMap { Int($0) } ?? 0
    }
    return true
  }

  private func lookForSOCKS4() -> Bool {
    guard inbox.count >= 9, let end = inbox[8...].firstIndex(of: 0) else { return false }
    let user = String(decoding: inbox[8..<end], as: UTF8.self)
    var host = inbox[4..<8].map(String.init).joined(separator: ".")
    var used = end + 1
    if inbox[4..<7].allSatisfy({ $0 == 0 }), inbox[7] != 0 {
      guard let nameEnd = inbox[used...].firstIndex(of: 0) else { return false }
      host = String(decoding: inbox[used..<nameEnd], as: UTF8.self)
      used = nameEnd + 1
    }
    let port = UInt16(inbox[2]) << 8 | UInt16(inbox[3])
    inbox.removeFirst(used)
    answer(
      ScriptedProxy.Asked(connection: number, text: "SOCKS4 \(host):\(port)", user: user), port,
      success: [0, 90, 0, 0, 0, 0, 0, 0])
    return true
  }

  private func lookForSOCKS5() -> Bool {
    guard inbox.count >= 2 else { return false }
    if !isGreeted {
      guard inbox.count >= 2 + Int(inbox[1]) else { return false }
      let offered = inbox[2..<(2 + Int(inbox[1]))]
      let method = proxy.state.withLock { $0.method } ?? (offered.contains(2) ? 2 : 0)
      inbox.removeFirst(2 + offered.count)
      isGreeted = true
      awaitsCredentials = method == 2
      toNear += [5, method]
      return true
    }
    guard inbox.count >= 7 else { return false }
    let length = inbox[3] == 1 ? 4 : inbox[3] == 4 ? 16 : 1 + Int(inbox[4])
    guard inbox.count >= 6 + length else { return false }
    let place = inbox[4..<(4 + length)]
    let host =
      switch inbox[3] {
      case 1: place.map(String.init).joined(separator: ".")
      case 4: "[" + place.map { String($0, radix: 16) }.joined(separator: ".") + "]"
      default: String(decoding: place.dropFirst(), as: UTF8.self)
      }
    let port = UInt16(inbox[4 + length]) << 8 | UInt16(inbox[5 + length])
    inbox.removeFirst(6 + length)
    answer(
      ScriptedProxy.Asked(
        connection: number, text: "SOCKS5 \(host):\(port)", user: credentials?.0, password: credentials?.1),
      port, success: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    return true
  }

  private func lookForCredentials() -> Bool {
    guard inbox.count >= 2, inbox.count >= 3 + Int(inbox[1]) else { return false }
    let user = inbox[2..<(2 + Int(inbox[1]))]
    let length = Int(inbox[2 + user.count])
    guard inbox.count >= 3 + user.count + length else { return false }
    let password = inbox[(3 + user.count)..<(3 + user.count + length)]
    credentials = (String(decoding: user, as: UTF8.self), String(decoding: password, as: UTF8.self))
    inbox.removeFirst(3 + user.count + length)
    awaitsCredentials = false
    toNear += [1, credentials?.1 == "wrong" ? 1 : 0]
    if credentials?.1 == "wrong" { closesWhenSent = true }
    return true
  }

  /// - Parameter skip: Takes the question away where it is not passed on.
  private func answer(
    _ asked: ScriptedProxy.Asked, _ port: UInt16, success: [UInt8], skip: () -> Void = {}
  ) {
    switch proxy.ask(asked) {
    case .connect: connect(port, saying: success)
    case .connectSaying(let bytes): connect(port, saying: bytes)
    case .say(let bytes):
      skip()
      toNear += bytes
    case .sayAndClose(let bytes):
      skip()
      toNear += bytes
      closesWhenSent = true
    case .silence:
      skip()
      phase = .silent
    case .reset:
      near.resetOnClose()
      end()
    }
  }

  private func connect(_ port: UInt16, saying bytes: [UInt8]) {
    // To this machine, which says at once whether somebody listens.
    guard let descriptor = try? Syscall.streamSocket(family: SocketAddress.loopback(port: 0).protocolFamily)
    else {
      return end()
    }
    let channel = SocketChannel(descriptor, loop: proxy.loop)
    far = channel
    switch Syscall.connect(channel.number, to: proxy.target(port)) {
    case .connected: break
    case .inProgress:
      var watched = [pollfd(fd: channel.number, events: Int16(POLLOUT), revents: 0)]
      poll(&watched, 1, 5000)
      if channel.takeError() != nil { return refuse() }
    case .failed: return refuse()
    }
    guard (try? channel.register()) != nil else { return end() }
    channel.owner = self
    toNear += bytes
    toFar = inbox
    inbox = []
    phase = .relaying
  }

  private func refuse() {
    far?.close()
    far = nil
    phase = .asking
    toNear += Array("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n".utf8)
    closesWhenSent = true
  }

  private func end() {
    guard phase != .over else { return }
    phase = .over
    near.notifyOfClose()
    _ = near.flush()
    near.close()
    far?.close()
    far = nil
    proxy.state.withLock { $0.open -= 1 }
  }
}
