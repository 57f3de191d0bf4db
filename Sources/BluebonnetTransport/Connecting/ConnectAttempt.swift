import BluebonnetEventLoop
import Glibc

/// One socket on its way to one address. Loop-confined.
final class ConnectAttempt {
  typealias Outcome = Result<Void, SystemError>

  /// A Unix-domain listener whose queue is full answers `EAGAIN` and announces nothing; it is asked again.
  private static let retryDelay: Duration = .milliseconds(5)

  private let loop: EventLoop
  private let address: SocketAddress
  private var descriptor: FileDescriptor?
  private var registration: Registration?
  private var retry: TimerToken?
  private var completion: ((Outcome) -> Void)?

  init(loop: EventLoop, address: SocketAddress, completion: @escaping (Outcome) -> Void) {
    self.loop = loop
    self.address = address
    self.completion = completion
  }

  /// Begins. The completion may be called before this returns.
  func start() {
    do throws(SystemError) {
      let descriptor = try Syscall.streamSocket(family: address.protocolFamily)
      if address.family != .unix { try Syscall.setNoDelay(descriptor.rawValue) }
      let number = descriptor.rawValue
      self.descriptor = consume descriptor
      try connect(number)
    } catch {
      finish(.failure(error))
    }
  }

  /// Closes the socket, unless it was taken. The completion is not called any more.
  func close() {
    completion = nil
    leaveLoop()
    descriptor = nil
  }

  /// The connected socket.
  func takeDescriptor() -> FileDescriptor? {
    descriptor.take()
  }

  private func connect(_ number: Int32) throws(SystemError) {
    switch Syscall.connect(number, to: address) {
    case .connected: finish(.success(()))
    // Registered only now: a socket that was never connected reports a hang-up at once.
    case .inProgress: registration = try loop.register(number, handler: self)
    case .failed(let error) where error.errno == EAGAIN && address.family == .unix: connectAgainLater()
    case .failed(let error): throw error
    }
  }

  private func connectAgainLater() {
    retry = loop.schedule(at: loop.now.adding(Self.retryDelay)) {
      self.retry = nil
      guard let number = self.descriptor?.rawValue else { return }
      do throws(SystemError) { try self.connect(number) } catch { self.finish(.failure(error)) }
    }
  }

  private func finish(_ outcome: Outcome) {
    leaveLoop()
    if case .failure = outcome { descriptor = nil }
    completion.take()?(outcome)
  }

  private func leaveLoop() {
    if let registration = registration.take() { loop.deregister(registration) }
    if let retry = retry.take() { loop.cancel(retry) }
  }
}

extension ConnectAttempt: ReadinessHandler {
  func ready(_ readiness: Readiness) {
    guard let number = descriptor?.rawValue, !readiness.isDisjoint(with: [.writable, .error, .hangup])
    else { return }
    if let error = Syscall.takeError(number, of: "connect") {
      finish(.failure(error))
    } else {
      finish(.success(()))
    }
  }
}
