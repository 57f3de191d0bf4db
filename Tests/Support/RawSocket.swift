// SPDX-License-Identifier: MIT
import Glibc

/// A blocking socket, so that tests of the origin depend on no client of ours.
public final class RawSocket {
  /// How receiving came to an end.
  public enum Ending: Equatable, Sendable { case closed, reset, timedOut }

  /// What did not work.
  public struct Failure: Error {
    /// The call, or what was to be received.
    public let call: String

    /// A failure of `call`.
    public init(call: String) { self.call = call }
  }

  /// The socket itself.
  public let descriptor: Int32
  /// Received and not yet taken.
  public var pending: [UInt8] = []

  /// Connects to a port of this machine.
  public init(port: UInt16, family: Int32 = AF_INET) throws {
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var result: Int32
    if family == AF_INET6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      result = Self.connect(descriptor, &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      result = Self.connect(descriptor, &address)
    }
    guard result == 0 else { throw Failure(call: "connect") }
    setTimeout(seconds: 10)
  }

  /// Connects to a Unix-domain socket.
  public init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    guard Self.connect(descriptor, &address) == 0 else { throw Failure(call: "connect") }
    setTimeout(seconds: 10)
  }

  deinit { close(descriptor) }

  private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        Glibc.connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  private func setTimeout(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends text.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes.
  public func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(call: "send") }
      sent += count
    }
  }

  /// Ends the sending direction.
  public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives once into ``pending``; says how it ended if it did.
  public func receive() -> Ending? {
    var page = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &page, page.count, 0)
    if count > 0 {
      pending += page[..<count]
      return nil
    }
    if count == 0 { return .closed }
    return errno == ECONNRESET ? .reset : .timedOut
  }

  /// Everything up to the end.
  public func receiveAll() -> (bytes: [UInt8], ending: Ending) {
    while true {
      if let ending = receive() {
        defer { pending = [] }
        return (pending, ending)
      }
    }
  }

  /// At least `count` bytes, all of which are taken.
  public func receive(atLeast count: Int) throws -> [UInt8] {
    while pending.count < count {
      if receive() != nil { throw Failure(call: "recv: ended after \(pending.count) bytes") }
    }
    defer { pending = [] }
    return pending
  }
}
