// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc

/// Happy Eyeballs (RFC 8305): which address is tried when. Events go in, actions come out; the caller has the sockets
/// and the clock.
///
/// Attempts are numbered in the order in which they are made. Each runs until it succeeds or fails; the next one starts
/// when the previous one has failed or has not answered for `stagger`. The first to succeed ends all others.
package struct AddressRace {
  package enum Action: Equatable, Sendable {
    /// Tells the race `staggerIsOver` at that time, and not at any time asked for before; nil for never.
    case setTimer(MonotonicTime?)
    /// Begin attempt number `id`.
    case open(id: Int, SocketAddress)
    /// Abandon the attempt.
    case close(id: Int)
    /// The attempt is the connection.
    case succeed(id: Int)
    /// Every address has failed.
    case fail(SystemError, address: SocketAddress?)
  }

  /// RFC 8305 §8 recommends 250 ms between attempts.
  package static let defaultStagger: Duration = .milliseconds(250)

  private let addresses: [SocketAddress]
  private let stagger: Duration
  private var next = 0
  private var underway: [Int] = []
  private var worst: (error: SystemError, address: SocketAddress)?
  private var isOver = false

  /// A race among addresses in the resolver's order of preference.
  package init(_ addresses: [SocketAddress], stagger: Duration = defaultStagger) {
    self.addresses = Self.interleaved(addresses)
    self.stagger = stagger
  }

  package mutating func start(now: MonotonicTime) -> [Action] {
    openNext(now: now)
  }

  package mutating func staggerIsOver(now: MonotonicTime) -> [Action] {
    guard !isOver, next < addresses.count else { return [] }
    return openNext(now: now)
  }

  package mutating func attemptSucceeded(id: Int) -> [Action] {
    guard !isOver, underway.contains(id) else { return [] }
    isOver = true
    let losers = underway.filter { $0 != id }
    underway = []
    return [.setTimer(nil)] + losers.map { .close(id: $0) } + [.succeed(id: id)]
  }

  package mutating func attemptFailed(id: Int, _ error: SystemError, now: MonotonicTime) -> [Action] {
    guard !isOver, let position = underway.firstIndex(of: id) else { return [] }
    underway.remove(at: position)
    note(error, of: addresses[id])
    return next < addresses.count || underway.isEmpty ? openNext(now: now) : []
  }

  /// The caller gives up: nothing comes out of the race any more.
  package mutating func cancel() -> [Action] {
    guard !isOver else { return [] }
    isOver = true
    let losers = underway
    underway = []
    return [.setTimer(nil)] + losers.map { .close(id: $0) }
  }

  private mutating func openNext(now: MonotonicTime) -> [Action] {
    guard next < addresses.count else {
      isOver = true
      let error = worst?.error ?? SystemError(errno: EADDRNOTAVAIL, call: "connect")
      return [.setTimer(nil), .fail(error, address: worst?.address)]
    }
    let id = next
    next += 1
    underway.append(id)
    // The timer first: opening may fail at once and ask for another one.
    return [
      .setTimer(next < addresses.count ? now.adding(stagger) : nil), .open(id: id, addresses[id]),
    ]
  }

  /// Keeps the error to report: the first one that a host is behind, otherwise the first one. That this machine has no
  /// IPv6 says little when the other address refused.
  private mutating func note(_ error: SystemError, of address: SocketAddress) {
    guard let known = worst else {
      worst = (error, address)
      return
    }
    if Self.isAboutRoutes(known.error) && !Self.isAboutRoutes(error) { worst = (error, address) }
  }

  private static func isAboutRoutes(_ error: SystemError) -> Bool {
    switch error.errno {
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, ENETDOWN: true
    default: false
    }
  }

  /// Alternates between the families, beginning with the resolver's favourite (RFC 8305 §4).
  private static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let favourite = addresses.first?.family else { return [] }
    let first = addresses.filter { $0.family == favourite }
    let second = addresses.filter { $0.family != favourite }
    var mixed: [SocketAddress] = []
    for index in 0..<max(first.count, second.count) {
      if index < first.count { mixed.append(first[index]) }
      if index < second.count { mixed.append(second[index]) }
    }
    return mixed
  }
}
