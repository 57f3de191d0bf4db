// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc

/// One socket on its way to one address. Loop-confined.
///
/// The channel is registered once; its taker takes over the registration as well.
final class ConnectAttempt {
  typealias Outcome = Result<Void, SystemError>

  /// A Unix-domain listener with a full queue answers `EAGAIN` and announces nothing; it is asked again.
  private static let retryDelay: Duration = .milliseconds(5)

  private let loop: EventLoop
  private let address: SocketAddress
  private let rules: ConnectRules?
  private var channel: SocketChannel?
  private var retry: TimerToken?
  private var completion: ((Outcome) -> Void)?

  init(
    loop: EventLoop, address: SocketAddress, rules: ConnectRules? = nil,
    completion: @escaping (Outcome) -> Void
  ) {
    self.loop = loop
    self.address = address
    self.rules = rules
    self.completion = completion
  }

  /// Begins. The completion may be called before this returns.
  func start() {
    do throws(SystemError) {
      let descriptor = try Syscall.streamSocket(family: address.protocolFamily)
      if address.family != .unix { try Syscall.setNoDelay(descriptor.rawValue) }
      if let rules { try rules.prepare(descriptor.rawValue, for: address) }
      let channel = SocketChannel(descriptor, loop: loop)
      channel.owner = self
      self.channel = channel
      try connect(channel)
    } catch {
      finish(.failure(error))
    }
  }

  /// Closes the socket, unless it was taken. The completion is not called any more.
  func close() {
    completion = nil
    stopRetrying()
    channel.take()?.close()
  }

  /// The connected socket, which from here on belongs to the caller.
  func takeChannel() -> SocketChannel? {
    channel?.owner = nil
    return channel.take()
  }

  private func connect(_ channel: SocketChannel) throws(SystemError) {
    switch Syscall.connect(channel.number, to: address) {
    case .connected:
      try channel.register()
      finish(.success(()))
    // Registered only now: a socket that was never connected reports a hang-up at once.
    case .inProgress: try channel.register(connecting: true)
    case .failed(let error) where error.errno == EAGAIN && address.family == .unix: connectAgainLater()
    case .failed(let error): throw error
    }
  }

  private func connectAgainLater() {
    retry = loop.schedule(at: loop.now.adding(Self.retryDelay)) {
      self.retry = nil
      guard let channel = self.channel else { return }
      do throws(SystemError) { try self.connect(channel) } catch { self.finish(.failure(error)) }
    }
  }

  private func finish(_ outcome: Outcome) {
    stopRetrying()
    if case .failure = outcome { channel.take()?.close() }
    completion.take()?(outcome)
  }

  private func stopRetrying() {
    if let retry = retry.take() { loop.cancel(retry) }
  }
}

extension ConnectAttempt: ChannelOwner {
  func channelIsReady(hasRoom: Bool) {
    guard completion != nil, let channel, hasRoom || channel.hasHungUp else { return }
    if let error = channel.takeError() {
      finish(.failure(error))
    } else {
      finish(.success(()))
    }
  }
}
