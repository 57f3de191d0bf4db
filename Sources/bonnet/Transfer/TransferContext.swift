import Bluebonnet

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
