// SPDX-License-Identifier: MIT

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
      "retry", nil, "count", [.curl], "Number of retries after temporary failures", sets: \.count,
      OptionNumber.count),
    .value(
      "retry-delay", nil, "seconds", [.curl], "Seconds between retries", sets: \.delay,
      OptionNumber.wholeSeconds),
    .value(
      "retry-max-time", nil, "seconds", [.curl], "Maximum time in which retries start", sets: \.timeLimit,
      OptionNumber.wholeSeconds),
    .flag(
      "retry-connrefused", nil, [.curl], "Retries after a refused connection, too",
      sets: \.includesRefusals),
    .flag("retry-all-errors", nil, [.curl], "Retries after any failure (with --retry)", sets: \.includesAll),
  ]
}
