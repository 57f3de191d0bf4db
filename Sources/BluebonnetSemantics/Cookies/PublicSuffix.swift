/// Which domains belong to a registry, so that no site may set a cookie for all of them.
///
/// The public suffix list has 10,000 entries and changes weekly; it is not carried here. The rule instead: a single
/// label (`com`, `localhost`), and one of the usual second-level labels below a country code (`co.uk`, `com.au`,
/// `or.jp`). What the rule misses are private registries (`github.io`), whose sites could see each other's
/// domain cookies, and unusual registries; it never refuses a cookie to a site under a plain domain.
package enum PublicSuffix {
  private static let secondLevel: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "gouv", "govt", "id", "info", "ltd", "me", "mil", "mod",
    "ne", "net",
    "nhs", "nom", "or", "org", "plc", "police", "sch", "school",
  ]

  /// `domain` is in lower case, without a dot in front.
  package static func covers(_ domain: String) -> Bool {
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    switch labels.count {
    case 0, 1: return true
    case 2: return labels[1].utf8.count == 2 && secondLevel.contains(String(labels[0]))
    default: return false
    }
  }
}
