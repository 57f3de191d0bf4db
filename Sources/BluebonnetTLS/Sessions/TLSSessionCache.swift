// SPDX-License-Identifier: MIT

/// Sessions to resume, by origin; bounded in number and in bytes.
///
/// Loop-confined like the engines, hence neither locked nor `Sendable`. Keep only sessions of connections
/// to accepted servers.
package final class TLSSessionCache<Origin: Hashable> {
  /// The number of origins remembered; the one unused for longest goes first.
  package let originLimit: Int
  /// The number of sessions kept for one origin; a server sends two tickets as a rule.
  package let sessionsPerOrigin: Int
  /// Bytes that all sessions may take: a server decides how long its tickets are, up to 64 KiB each, and its chains.
  package let byteLimit: Int
  /// Bytes that one may take: ordinary ones have a tenth of it.
  private static var sessionLimit: Int { 256 << 10 }

  private struct Entry {
    var sessions: [TLSSession]
    var lastUse: UInt64
    var byteCount: Int
  }

  private var entries: [Origin: Entry] = [:]
  private var uses: UInt64 = 0

  /// curl keeps 25 sessions in all, browsers about a thousand.
  package init(originLimit: Int = 256, sessionsPerOrigin: Int = 8, byteLimit: Int = 8 << 20) {
    self.byteLimit = byteLimit
    self.originLimit = max(originLimit, 1)
    self.sessionsPerOrigin = max(sessionsPerOrigin, 1)
  }

  package var originCount: Int { entries.count }
  package private(set) var byteCount = 0

  package func insert(_ session: TLSSession, for origin: Origin) {
    guard session.byteCount <= Self.sessionLimit else { return }
    uses += 1
    var sessions = take(origin)
    if !session.isSingleUse { sessions.removeAll() }
    if sessions.count == sessionsPerOrigin { sessions.removeFirst() }
    sessions.append(session)
    put(sessions, origin)
    while entries.count > originLimit || byteCount > byteLimit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    { _ = take(oldest.key) }
  }

  /// The newest session that is still usable. One of TLS 1.3 leaves the cache, one of TLS 1.2 stays in it.
  package func session(for origin: Origin) -> TLSSession? {
    guard entries[origin] != nil else { return nil }
    var sessions = take(origin)
    var found: TLSSession?
    while found == nil, let newest = sessions.popLast() {
      if newest.isUsable { found = newest }
    }
    if let found, !found.isSingleUse { sessions.append(found) }
    uses += 1
    put(sessions, origin)
    return found
  }

  private func take(_ origin: Origin) -> [TLSSession] {
    guard let entry = entries.removeValue(forKey: origin) else { return [] }
    byteCount -= entry.byteCount
    return entry.sessions
  }

  private func put(_ sessions: [TLSSession], _ origin: Origin, usedAt use: UInt64? = nil) {
    guard !sessions.isEmpty else { return }
    let bytes = sessions.reduce(0) { $0 + $1.byteCount }
    byteCount += bytes
    entries[origin] = Entry(sessions: sessions, lastUse: use ?? uses, byteCount: bytes)
  }

  package func remove(_ origin: Origin) {
    _ = take(origin)
  }

  /// Forgets all sessions that were made with a context.
  package func remove(of context: TLSContext) {
    for (origin, entry) in entries where entry.sessions.contains(where: { $0.context === context }) {
      let others = take(origin).filter { $0.context !== context }
      put(others, origin, usedAt: entry.lastUse)
    }
  }

  package func removeAll() {
    entries.removeAll()
    byteCount = 0
  }
}
