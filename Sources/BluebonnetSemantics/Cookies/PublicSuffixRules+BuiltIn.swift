// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension PublicSuffixRules {
  /// The rules without a list (a list has 10,000 entries and changes weekly): a single label (`com`, `localhost`),
  /// one of the usual second-level labels below a country code (`co.uk`, `com.au`, `or.jp`), countries that register at
  /// the third level only, and the largest of the hosters with sites of unrelated customers.
  ///
  /// They miss unusual registries and the many smaller hosters: their sites could then see each other's domain
  /// cookies. They never refuse a cookie to a site under a plain domain.
  package static let builtIn: PublicSuffixRules = {
    var rules = PublicSuffixRules(guessesSecondLevels: true)
    for name in wildcards { rules.add(.wildcard, name.utf8) }
    for name in exceptions { rules.add(.exception, name.utf8) }
    for name in hosters { rules.add(.plain, name.utf8) }
    for name in wildcardHosters { rules.add(.wildcard, name.utf8) }
    return rules
  }()

  private static let secondLevels: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "gouv", "govt", "id", "info", "ltd", "me", "mil", "mod",
    "ne", "net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school",
  ]

  /// Registries under which every second-level name is one, too.
  private static let wildcards = [
    "bd", "ck", "er", "fk", "jm", "kh", "mm", "np", "pg", "kawasaki.jp", "kitakyushu.jp", "kobe.jp",
    "nagoya.jp", "sapporo.jp", "sendai.jp", "yokohama.jp", "sch.uk",
  ]

  private static let exceptions = [
    "www.ck", "city.kawasaki.jp", "city.kitakyushu.jp", "city.kobe.jp", "city.nagoya.jp", "city.sapporo.jp",
    "city.sendai.jp", "city.yokohama.jp",
  ]

  private static let hosters = [
    "appspot.com", "azurestaticapps.net", "azurewebsites.net", "blogspot.com", "bitbucket.io",
    "cloudapp.net", "cloudfront.net", "deno.dev", "duckdns.org", "dyndns.org", "firebaseapp.com", "fly.dev",
    "github.io", "githubusercontent.com", "gitlab.io", "glitch.me", "herokuapp.com", "myshopify.com",
    "netlify.app", "ngrok.io", "no-ip.org", "now.sh", "onrender.com", "pages.dev", "readthedocs.io",
    "repl.co", "run.app", "s3.amazonaws.com", "surge.sh", "trycloudflare.com", "uk.com", "us.com",
    "vercel.app", "web.app", "wordpress.com", "workers.dev",
  ]

  private static let wildcardHosters = ["compute.amazonaws.com", "elb.amazonaws.com", "r.appspot.com"]

  /// Whether a name of two labels is one of the usual ones of a country.
  static func isSecondLevel(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let dot = name.firstIndex(of: Byte.dot), name.endIndex - dot == 3 else { return false }
    return secondLevels.contains(String(decoding: name[..<dot], as: UTF8.self))
  }
}
