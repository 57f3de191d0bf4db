extension OptionTable {
  /// Connecting.
  static let connection: [OptionEntry] = [
    .value("max-time", "m", "seconds", [.connection], "How long a transfer may take in all") {
      parser, text throws(CommandError) in
      parser.operation.connection.timeLimit = try OptionNumber.seconds(text)
    },
    .value("connect-timeout", nil, "seconds", [.connection], "How long connecting may take") {
      parser, text throws(CommandError) in
      parser.operation.connection.connectTimeLimit = try OptionNumber.seconds(text)
    },
    .value("unix-socket", nil, "path", [.connection], "Connects to this socket instead of the URL's host") {
      $0.operation.connection.socketPath = $1
    },
    .value(
      "happy-eyeballs-timeout-ms", nil, "milliseconds", [.connection],
      "Time that one address has before the next"
    ) {
      parser, text throws(CommandError) in
      let milliseconds = try OptionNumber.integer(text, from: 10)
      guard milliseconds <= 2_000 else { throw CommandError(.usage, "it is 2000 at most (RFC 8305 §8)") }
      parser.operation.connection.attemptDelay = milliseconds
    },
    .flag("tcp-nodelay", nil, [.connection], "Sends small packets at once, which it does anyway") {
      parser, isOn throws(CommandError) in
      guard isOn else { throw CommandError(.usage, "small packets are always sent at once here") }
    },
    .value(
      "resolve", nil, "host:port:address", [.connection, .misc],
      "Takes these addresses for a host's; * for any host"
    ) {
      $0.operation.connection.addresses.append($1)
    },
    .value("connect-to", nil, "host1:port1:host2:port2", [.connection], "Goes to host2 for host1") {
      $0.operation.connection.detours.append($1)
    },
    .act("ipv4", "4", [.connection], "Goes to IPv4 addresses only") {
      $0.operation.connection.family = .four
    },
    .act("ipv6", "6", [.connection], "Goes to IPv6 addresses only") { $0.operation.connection.family = .six },
    .value(
      "interface", nil, "name", [.connection], "Goes through this network interface, or from this address"
    ) {
      parser, text throws(CommandError) in
      let name = text.hasPrefix("if!") ? String(text.dropFirst(3)) : text
      guard !name.isEmpty, !name.hasPrefix("host!") else {
        throw CommandError(.usage, "an interface or an address is expected, not '\(text)'")
      }
      parser.operation.connection.networkInterface = name
    },
    .value("local-port", nil, "number[-number]", [.connection], "Connects from one of these ports") {
      parser, text throws(CommandError) in
      let ends = text.split(separator: "-").map { Int($0) ?? 0 }
      guard (1...2).contains(ends.count), let first = ends.first, let last = ends.last, first >= 1,
        first <= last,
        last <= 65_535
      else { throw CommandError(.usage, "a port or a range of them is expected, not '\(text)'") }
      parser.operation.connection.localPorts = first...last
    },
    .flag("keepalive", nil, [.connection], "Asks silent servers whether they are there; with no-, does not") {
      $0.operation.connection.keepsAlive = $1
    },
    .value("keepalive-time", nil, "seconds", [.connection], "… after so much silence; 60 without it") {
      parser, text throws(CommandError) in
      let seconds = try OptionNumber.integer(text, from: 1)
      guard seconds <= 32_767 else { throw CommandError(.usage, "it is 32767 at most") }
      parser.operation.connection.keepAliveTime = seconds
    },
    .value("retry", nil, "count", [.curl], "Tries again so often where that may help") {
      parser, text throws(CommandError) in
      parser.operation.retry.count = try OptionNumber.integer(text, from: 0)
    },
    .value("retry-delay", nil, "seconds", [.curl], "Waits so long in between") {
      parser, text throws(CommandError) in
      parser.operation.retry.delay = try OptionNumber.wholeSeconds(text)
    },
    .value("retry-max-time", nil, "seconds", [.curl], "Tries again only within this time") {
      parser, text throws(CommandError) in
      parser.operation.retry.timeLimit = try OptionNumber.wholeSeconds(text)
    },
    .flag("retry-connrefused", nil, [.curl], "Tries again where a connection was refused, too") {
      $0.operation.retry.includesRefusals = $1
    },
    .flag("retry-all-errors", nil, [.curl], "Tries again whatever went wrong") {
      $0.operation.retry.includesAll = $1
    },
    .value("limit-rate", nil, "speed", [.connection], "At most so many bytes a second, as 100k") {
      parser, text throws(CommandError) in
      let rate = try OptionNumber.size(text)
      parser.operation.output.rateLimit = rate == 0 ? nil : rate
    },
    .value("speed-limit", "Y", "speed", [.connection], "Gives up where there are fewer bytes a second") {
      parser, text throws(CommandError) in
      parser.operation.output.speedLimit = try OptionNumber.integer(text, from: 0)
      if parser.operation.output.speedTime == nil { parser.operation.output.speedTime = 30 }
    },
    .value("speed-time", "y", "seconds", [.connection], "… for so long") {
      parser, text throws(CommandError) in
      parser.operation.output.speedTime = try OptionNumber.integer(text, from: 0)
      if parser.operation.output.speedLimit == nil { parser.operation.output.speedLimit = 1 }
    },
  ]
}
