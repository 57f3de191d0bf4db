// SPDX-License-Identifier: MIT

/// The options of redirects.
struct RedirectOptions: Equatable, Sendable {
  /// As many as curl follows.
  static let usualLimit = 50

  var follows = false
  /// `--location-trusted`: credentials go along to other hosts.
  var trustsOthers = false
  /// Nil for any number.
  var limit: Int? = usualLimit
  var keepsPostAfter: Set<Int> = []
  /// Schemes that a redirect may lead to.
  var schemes = SchemeSet.web
}

extension RedirectOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<RedirectOptions>] = [
    .valueInContext(
      "proto-redir", nil, "schemes", [.connection, .curl], "Allowed schemes of redirects"
    ) {
      options, text, context in
      for name in options.schemes.apply(text) { context.warn("unknown scheme '\(name)'") }
    },
    .flag("location", "L", [.http], "Follows redirects", sets: \.follows),
    .flag("location-trusted", nil, [.http, .auth], "Follows redirects; other hosts get the credentials, too")
    {
      $0.follows = $1
      $0.trustsOthers = $1
    },
    .value("max-redirs", nil, "count", [.http], "Maximum number of redirects; -1 for no limit") {
      options, text throws(CommandError) in
      let count = try OptionNumber.integer(text, from: -1)
      options.limit = count < 0 ? nil : count
    },
    .flag("post301", nil, [.http, .post], "Keeps POST after a 301 redirect") { $0.keepPost(after: 301, $1) },
    .flag("post302", nil, [.http, .post], "Keeps POST after a 302 redirect") { $0.keepPost(after: 302, $1) },
    .flag("post303", nil, [.http, .post], "Keeps POST after a 303 redirect") { $0.keepPost(after: 303, $1) },
  ]

  private mutating func keepPost(after status: Int, _ isOn: Bool) {
    if isOn { keepsPostAfter.insert(status) } else { keepsPostAfter.remove(status) }
  }
}
