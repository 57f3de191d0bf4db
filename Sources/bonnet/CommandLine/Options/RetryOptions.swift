/// The options of retries.
struct RetryOptions: Equatable, Sendable {
  var count = 0
  /// Seconds; 0 for twice as long each time.
  var delay = 0
  /// Seconds for all attempts; 0 for no limit.
  var timeLimit = 0
  var includesRefusals = false
  var includesAll = false
}

extension RetryOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<RetryOptions>] = [
    .value(
      "retry", nil, "count", [.curl], "Tries again so often where that may help", sets: \.count,
      OptionNumber.count),
    .value(
      "retry-delay", nil, "seconds", [.curl], "Waits so long in between", sets: \.delay,
      OptionNumber.wholeSeconds),
    .value(
      "retry-max-time", nil, "seconds", [.curl], "Tries again only within this time", sets: \.timeLimit,
      OptionNumber.wholeSeconds),
    .flag(
      "retry-connrefused", nil, [.curl], "Tries again where a connection was refused, too",
      sets: \.includesRefusals),
    .flag("retry-all-errors", nil, [.curl], "Tries again whatever went wrong", sets: \.includesAll),
  ]
}
