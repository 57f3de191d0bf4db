// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The languages that the environment asks for. Foundation reads none of them on Linux, and always prefers English.
enum PreferredLanguages {
  /// The program's, best first, as language tags (RFC 5646); empty where the environment names none.
  static let current = names(in: ProcessInfo.processInfo.environment)

  /// - Parameter environment: `LC_ALL`, `LC_MESSAGES` and `LANG`, of which the first that is set counts, and `LANGUAGE`, a list
  ///   in its place unless the locale is that of C (gettext's rules).
  static func names(in environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale, let own = tag(of: locale) else { return [] }
    let listed = environment["LANGUAGE", default: ""].split(separator: ":").compactMap { tag(of: String($0)) }
    return (listed.isEmpty ? [own] : listed).reduce(into: []) { tags, tag in
      if !tags.contains(tag) { tags.append(tag) }
    }
  }

  /// `de-DE` for `de_DE.UTF-8@euro`; nil for the locales of C, and for what is no language tag.
  private static func tag(of locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    let isTag = parts.allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { byte in
          byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
        }
    }
    // The language itself has letters only, and at least two: `C` and `POSIX` are no languages.
    guard isTag, let language = parts.first, (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ $0 >= 0x41 })
    else { return nil }
    return parts.joined(separator: "-")
  }
}
