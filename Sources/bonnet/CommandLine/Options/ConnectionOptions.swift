// SPDX-License-Identifier: MIT

/// The options of connecting.
struct ConnectionOptions: Hashable, Sendable {
  enum Family: Hashable, Sendable {
    case any
    case four
    case six
  }

  /// Seconds; nil for no limit.
  var timeLimit: Double?
  var connectTimeLimit: Double?
  var socketPath: String?
  var family = Family.any
  /// `--resolve`, in order.
  var addresses: [String] = []
  /// `--connect-to`, in order.
  var detours: [String] = []
  var networkInterface: String?
  var localPorts: ClosedRange<Int>?
  var keepsAlive = true
  var keepAliveTime: Int?
  /// Milliseconds before the other family is tried.
  var attemptDelay: Int?
}

extension ConnectionOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<ConnectionOptions>] = [
    .value(
      "max-time", "m", "seconds", [.connection], "Maximum time for each transfer", sets: \.timeLimit,
      OptionNumber.seconds),
    .value(
      "connect-timeout", nil, "seconds", [.connection], "Maximum time for connecting",
      sets: \.connectTimeLimit, OptionNumber.seconds),
    .value(
      "unix-socket", nil, "path", [.connection], "Connects to this Unix domain socket",
      sets: \.socketPath),
    .value(
      "happy-eyeballs-timeout-ms", nil, "milliseconds", [.connection],
      "Delay before the next address is tried"
    ) {
      options, text throws(CommandError) in
      let milliseconds = try OptionNumber.integer(text, from: 10)
      guard milliseconds <= 2_000 else { throw CommandError(.usage, "it is 2000 at most (RFC 8305 §8)") }
      options.attemptDelay = milliseconds
    },
    .flag("tcp-nodelay", nil, [.connection], "Accepted; TCP_NODELAY is always set") {
      _, isOn throws(CommandError) in
      guard isOn else { throw CommandError(.usage, "small packets are always sent at once here") }
    },
    .value(
      "resolve", nil, "host:port:address", [.connection, .misc],
      "Uses these addresses for host:port; * for any host"
    ) { $0.addresses.append($1) },
    .value(
      "connect-to", nil, "host1:port1:host2:port2", [.connection],
      "Connects to host2:port2 instead of host1:port1"
    ) {
      $0.detours.append($1)
    },
    .act("ipv4", "4", [.connection], "Connects to IPv4 addresses only") { $0.family = .four },
    .act("ipv6", "6", [.connection], "Connects to IPv6 addresses only") { $0.family = .six },
    .value(
      "interface", nil, "name", [.connection], "Uses this network interface or local address"
    ) {
      options, text throws(CommandError) in
      let name = text.hasPrefix("if!") ? String(text.dropFirst(3)) : text
      guard !name.isEmpty, !name.hasPrefix("host!") else {
        throw CommandError(.usage, "an interface or an address is expected, not '\(text)'")
      }
      options.networkInterface = name
    },
    .value(
      "local-port", nil, "number[-number]", [.connection], "Local port, or range of ports, to connect from"
    ) {
      options, text throws(CommandError) in
      let ends = text.split(separator: "-").map { Int($0) ?? 0 }
      guard (1...2).contains(ends.count), let first = ends.first, let last = ends.last, first >= 1,
        first <= last, last <= 65_535
      else { throw CommandError(.usage, "a port or a range of them is expected, not '\(text)'") }
      options.localPorts = first...last
    },
    .flag(
      "keepalive", nil, [.connection], "Disables TCP keep-alive",
      sets: \.keepsAlive
    ).shownOff,
    .value(
      "keepalive-time", nil, "seconds", [.connection], "Idle time before TCP keep-alive probes, 60 by default"
    ) {
      options, text throws(CommandError) in
      let seconds = try OptionNumber.integer(text, from: 1)
      guard seconds <= 32_767 else { throw CommandError(.usage, "it is 32767 at most") }
      options.keepAliveTime = seconds
    },
  ]
}
