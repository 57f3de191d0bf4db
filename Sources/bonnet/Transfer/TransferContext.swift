import Bluebonnet

/// What the transfers of a command share.
struct TransferContext: Sendable {
  let globals: Command.Globals
  let sessions: SessionKeeper
  let trace: Trace
  let reporter: Reporter
  let cookies: CookieKeeper
  let meter: Meter
  let oldServers = OldServers()
  /// Standard output is a terminal, which binary output can make unreadable.
  let writesToTerminal: Bool
}
