// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Asks the kernel how destinations are reached.
///
/// The kernel answers within the call, in some microseconds; while it changes its links, it may take as long as that does.
/// So not in loop context, and by one thread at a time.
///
/// It looks at the network namespace of the thread that made it.
package struct NetworkInquiry: ~Copyable {
  /// The longest datagram that a list is told in (netlink(7): 32 KiB).
  private static let bufferSize = 64 * 1024
  /// The number of attempts at an answer that changes while it is told.
  private static let attempts = 8

  private let socket: FileDescriptor
  private var sequence: UInt32 = 0

  package init() throws(SystemError) {
    socket = try Syscall.netlinkSocket(groups: 0, isBlocking: true)
  }

  /// The path to the destination at this moment.
  package mutating func path(
    to destination: NetworkDestination, by rule: InterfaceRule = .any
  ) throws(SystemError) -> NetworkPath {
    let interfaces = try interfaces()
    var path = NetworkPath()
    for address in destination.addresses {
      for choice in choices(for: address, rule, interfaces) {
        guard let route = try route(to: address, through: choice) else { continue }
        if let index = route.interface, let (_, interface) = interfaces[index], !rule.allows(interface.kind) {
          continue
        }
        path.add(route, isIPv6: address.family == .ipv6, interfaces: interfaces)
      }
    }
    return path
  }

  /// The interfaces to be asked about, one by one; nil leaves the choice to the kernel, asked first.
  private func choices(
    for address: SocketAddress, _ rule: InterfaceRule,
    _ interfaces: [Int32: (link: NetworkLink, interface: NetworkInterface)]
  ) -> [Int32?] {
    if let scope = address.scope { return [scope] }
    guard rule != .any else { return [nil] }
    let allowed = interfaces.values.filter { $0.link.isRunning && rule.allows($0.interface.kind) }
    return [nil] + allowed.map(\.interface.index).sorted()
  }

  // MARK: Questions

  private mutating func interfaces() throws(SystemError)
    -> [Int32: (link: NetworkLink, interface: NetworkInterface)]
  {
    var found: [Int32: (link: NetworkLink, interface: NetworkInterface)] = [:]
    for message in try ask({ NetlinkRequest.links(sequence: $0) }) {
      guard case .link(let link) = message else { continue }
      found[link.index] = (link, NetworkInterface(link, events: Self.events(of: link)))
    }
    return found
  }

  /// Nil if nothing leads there.
  private mutating func route(to address: SocketAddress, through interface: Int32?) throws(SystemError)
    -> NetworkRoute?
  {
    guard let bytes = address.networkBytes else { return nil }
    do throws(SystemError) {
      for message in try ask({ NetlinkRequest.route(to: bytes, through: interface, sequence: $0) }) {
        guard case .route(var route) = message else { continue }
        route.interface = interface ?? route.interface
        return route
      }
      return nil
    } catch {
      if Self.nowhere.contains(error.errno) { return nil }
      throw error
    }
  }

  /// The kernel's errors where no route leads; a family that it does not speak is one of the reasons, and routes that
  /// refuse are others.
  private static let nowhere: Set<Int32> = [
    ENETUNREACH, EHOSTUNREACH, EACCES, EINVAL, ENETDOWN, ENODEV, EADDRNOTAVAIL, EAFNOSUPPORT, EOPNOTSUPP,
    EAGAIN,
  ]

  /// The names of interfaces are the administrator's, and become a part of a path.
  private static func events(of link: NetworkLink) -> String? {
    guard !link.name.isEmpty, link.name.utf8.count < Int(IF_NAMESIZE), link.name != ".", link.name != "..",
      !link.name.utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    return Syscall.text(ofFile: "/sys/class/net/\(link.name)/uevent", limit: 4096)
  }

  private mutating func ask(_ request: (UInt32) -> [UInt8]) throws(SystemError) -> [NetlinkMessage] {
    for _ in 0..<Self.attempts {
      sequence &+= 1
      if let messages = try answer(to: request(sequence)) { return messages }
    }
    throw SystemError(errno: EBUSY, call: "netlink")
  }

  /// Nil if it is to be asked for again.
  private func answer(to request: [UInt8]) throws(SystemError) -> [NetlinkMessage]? {
    if case .failed(let error) = request.withUnsafeBytes({ Syscall.send(socket.rawValue, $0) }) {
      throw error
    }
    var answer = NetlinkAnswer(to: sequence)
    var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    while true {
      switch buffer.withUnsafeMutableBytes({ Syscall.receiveFromKernel(socket.rawValue, $0) }) {
      case .bytes(let count):
        switch answer.take(buffer[..<count]) {
        case .receive: continue
        case .complete(let messages): return messages
        case .askAgain: return nil
        case .failed(let errno): throw SystemError(errno: errno, call: "netlink")
        case .malformed: throw SystemError(errno: EBADMSG, call: "netlink")
        }
      // Lost, because more came than there was room for: asked again.
      case .failed(let error) where error.errno == ENOBUFS: return nil
      case .failed(let error): throw error
      case .wouldBlock, .endOfStream: throw SystemError(errno: ETIMEDOUT, call: "netlink")
      }
    }
  }
}
