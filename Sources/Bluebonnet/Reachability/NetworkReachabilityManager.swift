// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks

// @unchecked: open, with properties of its own that are immutable or behind a lock.
/// Tells whether a route leads from this machine to a host, or to the internet at large.
///
/// It watches the kernel's links, addresses and routes, and sends nothing: that a route leads somewhere does not mean that
/// there is an answer. Use it to try again after a failure, not to decide whether to try: a request always knows
/// better.
///
/// Keep it as long as you want to hear of changes.
open class NetworkReachabilityManager: @unchecked Sendable {
  /// Whether a route leads there.
  public enum NetworkReachabilityStatus: Equatable, Sendable {
    /// The system does not let this process ask.
    case unknown
    /// No route leads there, or only through interfaces that are down.
    case notReachable
    /// A route leads there.
    case reachable(ConnectionType)

    /// The kind of the first interface on the way, as far as Linux can tell.
    public enum ConnectionType: Sendable {
      /// Anything but a modem: cables, wireless networks, tunnels, this machine itself.
      case ethernetOrWiFi
      /// A modem; see ``NWInterface/InterfaceType/cellular``.
      case cellular
    }
  }

  /// Called with the status, at first and whenever it has changed.
  public typealias Listener = @Sendable (NetworkReachabilityStatus) -> Void

  /// A manager for the internet at large: whether there is a default route, or whatever routes are in its place.
  public static let `default` = NetworkReachabilityManager()

  /// The queue on which the kernel is asked.
  public let reachabilityQueue = DispatchQueue(label: "org.alamofire.reachabilityQueue")

  private struct State {
    var watch: PathWatch?
    var status: NetworkReachabilityStatus?
    /// One more with each `startListening` and `stopListening`: what belongs to an earlier one is not told.
    var turn = 0
  }

  private let question: PathQuestion
  private let state = Locked(State())

  /// A manager for one host.
  ///
  /// A name is not looked up: its addresses count if they are known on this machine (`localhost`, `/etc/hosts`), and
  /// otherwise it is taken to be on the internet.
  ///
  /// - Parameter host: A name, or an IPv4 or IPv6 address, without scheme, port, path and brackets. Nil is returned for
  ///   anything else.
  public init?(host: String) {
    guard Self.isHost(host) else { return nil }
    question = PathQuestion(host: host)
  }

  /// A manager for the internet at large. Never nil; optional for compatibility.
  public init?() { question = PathQuestion() }

  deinit { state.withLock { $0.watch.take() }?.stop() }

  /// Whether a route leads there now.
  open var isReachable: Bool { isReachableOnCellular || isReachableOnEthernetOrWiFi }

  /// Whether a route leads there now, and begins with a modem.
  open var isReachableOnCellular: Bool { status == .reachable(.cellular) }

  /// Whether a route leads there now, and begins with anything but a modem.
  open var isReachableOnEthernetOrWiFi: Bool { status == .reachable(.ethernetOrWiFi) }

  /// The present way to the host; nil if the system does not let this process ask.
  open var flags: SCNetworkReachabilityFlags? { question.answerNow().map(SCNetworkReachabilityFlags.init) }

  /// Whether a route leads there now. Asks the kernel, which takes some microseconds.
  open var status: NetworkReachabilityStatus { flags.map(NetworkReachabilityStatus.init) ?? .unknown }

  /// Tells the status as it is, and then each time it has changed, until ``stopListening()``. A listener that was there
  /// before hears no more.
  ///
  /// - Parameters:
  ///   - queue:    Where `listener` is called; the main queue by default.
  ///   - listener: Called with the status.
  /// - Returns: Whether listening has begun; false if the system does not let this process listen.
  @preconcurrency
  @discardableResult
  open func startListening(
    onQueue queue: DispatchQueue = .main, onUpdatePerforming listener: @escaping Listener
  ) -> Bool {
    stopListening()
    let turn = state.withLock { state in
      state.turn += 1
      return state.turn
    }
    do throws(SystemError) {
      let watch = try PathWatch(question, queue: reachabilityQueue) { [weak self] path in
        self?.heard(path, turn, queue, listener)
      }
      let isWanted = state.withLock { state in
        if state.turn == turn { state.watch = watch }
        return state.turn == turn
      }
      if !isWanted { watch.stop() }
      return true
    } catch {
      return false
    }
  }

  /// Tells the listener no more.
  open func stopListening() {
    let watch = state.withLock { state in
      state.turn += 1
      state.status = nil
      return state.watch.take()
    }
    watch?.stop()
  }

  private func heard(_ path: NetworkPath, _ turn: Int, _ queue: DispatchQueue, _ listener: @escaping Listener)
  {
    let status = NetworkReachabilityStatus(SCNetworkReachabilityFlags(path))
    let isNew = state.withLock { state in
      guard state.turn == turn, state.status != status else { return false }
      state.status = status
      return true
    }
    guard isNew else { return }
    queue.async { [weak self] in
      guard let self, state.withLock({ $0.turn }) == turn else { return }
      listener(status)
    }
  }

  /// A name as RFC 952 has it, an address, or what a resolver may still take; nothing with a scheme, a port or a path.
  private static func isHost(_ host: String) -> Bool {
    if host.isEmpty || host.utf8.count > 255 { return false }
    if SocketAddress(literal: host, port: 0) != nil { return true }
    return !host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/:?#[]@\\%".utf8.contains($0) }
  }
}

extension NetworkReachabilityManager.NetworkReachabilityStatus {
  init(_ flags: SCNetworkReachabilityFlags) {
    self =
      flags.isActuallyReachable
      ? .reachable(flags.contains(.isWWAN) ? .cellular : .ethernetOrWiFi) : .notReachable
  }
}

extension SCNetworkReachabilityFlags {
  init(_ path: NetworkPath) {
    var flags: SCNetworkReachabilityFlags = []
    if path.isSatisfied { flags.insert(.reachable) }
    if path.isLocal { flags.insert(.isLocalAddress) }
    if path.isDirect || path.isLocal { flags.insert(.isDirect) }
    if path.interfaces.first?.kind == .cellular { flags.insert(.isWWAN) }
    self = flags
  }
}
