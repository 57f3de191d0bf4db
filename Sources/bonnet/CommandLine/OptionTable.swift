// SPDX-License-Identifier: MIT

/// All options: those that work, and those of curl's that are refused.
enum OptionTable {
  static let all: [OptionEntry<Command>] = [
    Command.entries, of(GlobalOptions.entries, \.globals), of(Operation.entries, \.operation),
    of(RequestOptions.entries, \.operation.request), of(ContentOptions.entries, \.operation.content),
    of(RedirectOptions.entries, \.operation.redirects),
    of(AuthenticationOptions.entries, \.operation.authentication),
    of(CookieOptions.entries, \.operation.cookies), of(ConnectionOptions.entries, \.operation.connection),
    of(ProxyOptions.entries, \.operation.proxy), of(SecurityOptions.entries, \.operation.security),
    of(OutputOptions.entries, \.operation.output), of(RetryOptions.entries, \.operation.retry), refused,
  ].flatMap(\.self).sorted { $0.name < $1.name }

  static let byName: [String: OptionEntry<Command>] = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static let byLetter: [Character: OptionEntry<Command>] = Dictionary(
    all.compactMap { entry in entry.letter.map { ($0, entry) } }, uniquingKeysWith: { first, _ in first })

  private static func of<Options>(
    _ entries: [OptionEntry<Options>], _ part: any WritableKeyPath<Command, Options> & Sendable
  ) -> [OptionEntry<Command>] {
    entries.map { $0.lifted(to: part) }
  }
}
