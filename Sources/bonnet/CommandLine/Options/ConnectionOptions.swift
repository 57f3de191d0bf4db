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
      "max-time", "m", "seconds", [.connection], "How long a transfer may take in all", sets: \.timeLimit,
      OptionNumber.seconds),
    .value(
      "connect-timeout", nil, "seconds", [.connection], "How long connecting may take",
      sets: \.connectTimeLimit, OptionNumber.seconds),
    .value(
      "unix-socket", nil, "path", [.connection], "Connects to this socket instead of the URL's host",
      sets: \.socketPath),
    .value(
      "happy-eyeballs-timeout-ms", nil, "milliseconds", [.connection],
      "Time that one address has before the next"
    ) {
      options, text throws(CommandError) in
      let milliseconds = try OptionNumber.integer(text, from: 10)
      guard milliseconds <= 2_000 else { throw CommandError(.usage, "it is 2000 at most (RFC 8305 §8)") }
      options.attemptDelay = milliseconds
    },
    .flag("tcp-nodelay", nil, [.connection], "Sends small packets at once, which it does anyway") {
      _, isOn throws(CommandError) in
      guard isOn else { throw CommandError(.usage, "small packets are always sent at once here") }
    },
    .value(
      "resolve", nil, "host:port:address", [.connection, .misc],
      "Takes these addresses for a host's; * for any host"
    ) { $0.addresses.append($1) },
    .value("connect-to", nil, "host1:port1:host2:port2", [.connection], "Goes to host2 for host1") {
      $0.detours.append($1)
    },
    .act("ipv4", "4", [.connection], "Goes to IPv4 addresses only") { $0.family = .four },
    .act("ipv6", "6", [.connection], "Goes to IPv6 addresses only") { $0.family = .six },
    .value(
      "interface", nil, "name", [.connection], "Goes through this network interface, or from this address"
    ) {
      options, text throws(CommandError) in
      let name = text.hasPrefix("if!") ? String(text.dropFirst(3)) : text
      guard !name.isEmpty, !name.hasPrefix("host!") else {
        throw CommandError(.usage, "an interface or an address is expected, not '\(text)'")
      }
      options.networkInterface = name
    },
    .value("local-port", nil, "number[-number]", [.connection], "Connects from one of these ports") {
      options, text throws(CommandError) in
      let ends = text.split(separator: "-").map { Int($0) ?? 0 }
      guard (1...2).contains(ends.count), let first = ends.first, let last = ends.last, first >= 1,
        first <= last, last <= 65_535
      else { throw CommandError(.usage, "a port or a range of them is expected, not '\(text)'") }
      options.localPorts = first...last
    },
    .flag(
      "keepalive", nil, [.connection], "Asks silent servers whether they are there; with no-, does not",
      sets: \.keepsAlive),
    .value("keepalive-time", nil, "seconds", [.connection], "… after so much silence; 60 without it") {
      options, text throws(CommandError) in
      let seconds = try OptionNumber.integer(text, from: 1)
      guard seconds <= 32_767 else { throw CommandError(.usage, "it is 32767 at most") }
      options.keepAliveTime = seconds
    },
  ]
}
