extension OptionTable {
  /// How the server is reached.
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
    .value("happy-eyeballs-timeout-ms", nil, "milliseconds", [.connection], "Time that one address has before the next") {
      parser, text throws(CommandError) in
      let milliseconds = try OptionNumber.integer(text, from: 10)
      guard milliseconds <= 2_000 else { throw CommandError(.usage, "it is 2000 at most (RFC 8305 §8)") }
      parser.operation.connection.attemptDelay = milliseconds
    },
    .flag("tcp-nodelay", nil, [.connection], "Sends small packets at once, which it does anyway") {
      parser, isOn throws(CommandError) in
      guard isOn else { throw CommandError(.usage, "small packets are always sent at once here") }
    },
    .value("retry", nil, "count", [.curl], "Tries again so often where that may help") {
      parser, text throws(CommandError) in
      parser.operation.retry.count = try OptionNumber.integer(text, from: 0)
    },
    .value("retry-delay", nil, "seconds", [.curl], "Waits so long in between") {
      parser, text throws(CommandError) in
      parser.operation.retry.delay = try OptionNumber.integer(text, from: 0)
    },
    .value("retry-max-time", nil, "seconds", [.curl], "Tries again only within this time") {
      parser, text throws(CommandError) in
      parser.operation.retry.timeLimit = try OptionNumber.integer(text, from: 0)
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
