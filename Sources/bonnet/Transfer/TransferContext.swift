// SPDX-License-Identifier: MIT
import Bluebonnet
import Synchronization

/// The shared state of a command's transfers.
struct TransferContext: Sendable {
  let globals: GlobalOptions
  let sessions: SessionPool
  let trace: Trace
  let reporter: Reporter
  let cookies: CookieStore
  let meter: Meter
  let oldServers = OldServers()
  /// Standard output is a terminal, which binary output can make unreadable.
  let writesToTerminal: Bool
}

/// Servers and proxies that have answered in HTTP/1.0 and kept their connection. Like curl, bonnet asks them in HTTP/1.0 from
/// then on, although the highest version would do (RFC 9110 §2.5): what it is given are curl's commands.
final class OldServers: Sendable {
  private let names = Mutex<Set<String>>([])

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
