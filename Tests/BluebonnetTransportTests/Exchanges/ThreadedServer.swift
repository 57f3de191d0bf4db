// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import BluebonnetLocks
import Glibc

@testable import BluebonnetTransport

/// A server with a thread for each connection, whatever address of this machine they come to. The first request of each
/// connection is answered; what becomes of the others is up to its temper.
final class ThreadedServer: Sendable {
  enum Temper: Sendable {
    case patient
    /// Hangs up at any time between two answers: before a request, in the middle of one, or behind it.
    case fickle(seed: UInt64)
  }

  let port: UInt16
  private let listener: Int32

  init(_ temper: Temper = .patient) throws {
    let listener = try Syscall.streamSocket(family: AF_INET)
    try Syscall.bind(listener.rawValue, to: SocketAddress(literal: "0.0.0.0", port: 0) ?? .loopback(port: 0))
    try Syscall.listen(listener.rawValue, backlog: 256)
    port = try Syscall.localAddress(listener.rawValue)?.port ?? 0
    self.listener = listener.release()
    let number = self.listener
    _ = fcntl(number, F_SETFL, 0)
    Self.thread {
      var count: UInt64 = 0
      while true {
        let connection = accept(number, nil, nil)
        // Or each process that a test starts would hold it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        // Shut down, which ends the server; or nobody is there any more.
        guard connection >= 0 else { break }
        count += 1
        let order = count
        Self.thread {
          Self.serve(connection, temper, order)
          close(connection)
        }
      }
      close(number)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func thread(_ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(body: body))
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    pthread_detach(thread)
  }

  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func serve(_ connection: Int32, _ temper: Temper, _ order: UInt64) {
    var random: SeededGenerator? =
      if case .fickle(let seed) = temper { SeededGenerator(seed: seed &+ order) } else { nil }
    var page = [UInt8](repeating: 0, count: 65_536)
    var pending: [UInt8] = []
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    var isFirst = true
    while true {
      // How many bytes of the next request to read before hanging up, if at all.
      var patience = Int.max
      if !isFirst, var generator = random {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return
        case 1:
          Pause.take(microseconds: Int.random(in: 0..<2000, using: &generator))
          return
        case 2: patience = Int.random(in: 1..<200, using: &generator)
        case 3: patience = Int.random(in: 200..<4_000_000, using: &generator)
        default: break
        }
        random = generator
      }
      isFirst = false
      var length: Int?
      while true {
        if length == nil, let end = Self.headEnd(pending) {
          length = end + Self.contentLength(pending[..<end])
        }
        if let length, pending.count >= length { break }
        if pending.count >= patience { return }
        let count = recv(connection, &page, page.count, 0)
        guard count > 0 else { return }
        pending += page[..<count]
      }
      pending.removeFirst(length ?? 0)
      guard send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
    }
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let end: [UInt8] = [13, 10, 13, 10]
    return (0...(Swift.min(bytes.count, 2000) - 4)).first { bytes[$0..<($0 + 4)].elementsEqual(end) }.map {
      $0 + 4
    }
  }

  private static func contentLength(_ head: ArraySlice<UInt8>) -> Int {
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    where line.hasPrefix("Content-Length: ") {
      return Int(line.dropFirst(16)) ?? 0
    }
    return 0
  }
}

/// A body of one byte, over and over, which can be sent again.
final class PlainSource: BodySource {
  private let sent = Locked(0)
  private let size: Int

  init(size: Int) { self.size = size }

  var length: Int? { size }
  /// The bytes that have been taken.
  var lent: Int { sent.withLock { $0 } }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    sent.withLock { sent in
      let count = Swift.min(Self.page.count, size - sent)
      guard count > 0 else { return .end }
      sent += Self.page.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      return .lent
    }
  }

  private static let page = [UInt8](repeating: 0x61, count: Connection.pieceSize)

  func rewind() -> Bool {
    sent.withLock { $0 = 0 }
    return true
  }
}
