/// Sessions to resume, by origin; bounded in both directions.
///
/// Loop-confined like the engines, hence neither locked nor `Sendable`. Keep only sessions of connections
/// whose server was accepted.
package final class TLSSessionCache<Origin: Hashable> {
  /// How many origins are remembered; the one that was not used for longest goes first.
  package let originLimit: Int
  /// How many sessions are kept for one origin; a server sends two tickets as a rule.
  package let sessionsPerOrigin: Int

  private struct Entry {
    var sessions: [TLSSession]
    var lastUse: UInt64
  }

  private var entries: [Origin: Entry] = [:]
  private var uses: UInt64 = 0

  /// curl keeps 25 sessions in all, browsers about a thousand.
  package init(originLimit: Int = 256, sessionsPerOrigin: Int = 8) {
    self.originLimit = max(originLimit, 1)
    self.sessionsPerOrigin = max(sessionsPerOrigin, 1)
  }

  package var originCount: Int { entries.count }

  package func insert(_ session: TLSSession, for origin: Origin) {
    uses += 1
    var entry = entries.removeValue(forKey: origin) ?? Entry(sessions: [], lastUse: uses)
    if !session.isSingleUse { entry.sessions.removeAll() }
    if entry.sessions.count == sessionsPerOrigin { entry.sessions.removeFirst() }
    entry.sessions.append(session)
    entry.lastUse = uses
    if entries.count >= originLimit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    entries[origin] = entry
  }

  /// The newest session that is still usable. One of TLS 1.3 leaves the cache, one of TLS 1.2 stays in it.
  package func session(for origin: Origin) -> TLSSession? {
    guard var entry = entries.removeValue(forKey: origin) else { return nil }
    var found: TLSSession?
    while found == nil, let newest = entry.sessions.popLast() {
      if newest.isUsable { found = newest }
    }
    if let found, !found.isSingleUse { entry.sessions.append(found) }
    guard !entry.sessions.isEmpty else { return found }
    uses += 1
    entry.lastUse = uses
    entries[origin] = entry
    return found
  }

  package func remove(_ origin: Origin) {
    entries[origin] = nil
  }

  package func removeAll() {
    entries.removeAll()
  }
}
