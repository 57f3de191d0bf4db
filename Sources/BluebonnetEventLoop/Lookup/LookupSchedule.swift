// SPDX-License-Identifier: MIT

/// The names being looked up, the waiters of each, and the next work of the threads that look them up.
///
/// A value: event in, action out. The driver is `NameResolver`.
///
///     add ─▶ local ──not there──▶ waiting ─▶ asked ─▶ answered
///              │ (hosts file)        ▲          │
///              └──▶ answered         │          └─ no waiter left: its place is free,
///                          no place is free         its thread is not until the resolver comes back
///
/// Names are joined: a second request for one that is here already waits for the same answer. The look into the hosts
/// file never waits for the resolver, because one thread at a time does nothing else.
struct LookupSchedule<Waiter: AnyObject> {
  /// A thread's work.
  enum Work: Equatable {
    /// Look names up in the hosts file, one after the other.
    case local
    /// Ask the resolver for this one.
    case ask(String)
  }

  private enum Stage { case local, waiting, asked }

  private struct Name {
    var stage = Stage.local
    var waiters: [Waiter]
  }

  /// The number of names with waiters that are asked for at once.
  let limit: Int
  /// The number of threads that may be with the resolver, including those without waiters: a call of `getaddrinfo`
  /// cannot be taken back, and may last half a minute.
  let threadLimit: Int
  private var names: [String: Name] = [:]
  private var local: [String] = []
  private var waiting: [String] = []
  /// A thread looks into the hosts file, or is about to.
  private(set) var isLooking = false
  /// Threads that are with the resolver.
  private(set) var asked = 0
  /// The number of them without waiters.
  private(set) var abandoned = 0

  init(limit: Int) {
    self.limit = Swift.max(1, limit)
    threadLimit = self.limit * 4
  }

  var isEmpty: Bool { names.isEmpty && asked == 0 && !isLooking }

  /// - Returns: what a new thread is to be started for, if one is.
  mutating func add(_ waiter: Waiter, for host: String) -> Work? {
    if let name = names[host] {
      if name.stage == .asked, name.waiters.isEmpty { abandoned -= 1 }
      names[host]?.waiters.append(waiter)
      return nil
    }
    names[host] = Name(waiters: [waiter])
    local.append(host)
    guard !isLooking else { return nil }
    isLooking = true
    return .local
  }

  /// - Returns: The work for a new thread, if a place has become free that a name waits for.
  mutating func cancel(_ waiter: Waiter, for host: String) -> Work? {
    guard var name = names[host], let index = name.waiters.firstIndex(where: { $0 === waiter }) else {
      return nil
    }
    name.waiters.remove(at: index)
    names[host] = name
    guard name.waiters.isEmpty else { return nil }
    switch name.stage {
    case .local:
      names[host] = nil
      local.removeAll { $0 == host }
    case .waiting:
      names[host] = nil
      waiting.removeAll { $0 == host }
    case .asked:
      abandoned += 1
      return nextAsked()
    }
    return nil
  }

  /// The next name to look for in the hosts file; nil if there is none, which ends that work.
  mutating func nextLocal() -> String? {
    guard !local.isEmpty else {
      isLooking = false
      return nil
    }
    return local.removeFirst()
  }

  /// The hosts file knows the name.
  ///
  /// - Returns: The waiters for it.
  mutating func found(_ host: String) -> [Waiter] {
    names.removeValue(forKey: host)?.waiters ?? []
  }

  /// The hosts file does not know the name.
  ///
  /// - Returns: what the thread does from here on, if not more of the same; and then whether it needs a successor.
  mutating func notFound(_ host: String) -> (next: Work, needsSuccessor: Bool)? {
    // Cancelled and asked for again while the file was read, it stands in `local` once more.
    guard names[host]?.stage == .local else { return nil }
    names[host]?.stage = .waiting
    waiting.append(host)
    guard let next = nextAsked() else { return nil }
    isLooking = !local.isEmpty
    return (next, isLooking)
  }

  /// The resolver has answered.
  ///
  /// - Returns: The waiters for it, and the thread's next work; with nil it ends.
  mutating func answered(_ host: String) -> (waiters: [Waiter], next: Work?) {
    let waiters = names.removeValue(forKey: host)?.waiters ?? []
    asked -= 1
    if waiters.isEmpty { abandoned -= 1 }
    return (waiters, nextAsked())
  }

  /// The thread that was asked for could not be started.
  ///
  /// - Returns: The waiters for names that no thread is left to look up.
  mutating func threadFailed(for work: Work) -> [Waiter] {
    var given: [String]
    switch work {
    case .ask(let host):
      asked -= 1
      if names[host]?.waiters.isEmpty != false { abandoned -= 1 }
      given = [host]
      if asked == 0 {
        given += waiting
        waiting = []
      }
    case .local:
      isLooking = false
      given = local
      local = []
    }
    return given.flatMap { names.removeValue(forKey: $0)?.waiters ?? [] }
  }

  private mutating func nextAsked() -> Work? {
    guard asked - abandoned < limit, asked < threadLimit, !waiting.isEmpty else { return nil }
    let host = waiting.removeFirst()
    names[host]?.stage = .asked
    asked += 1
    return .ask(host)
  }
}
