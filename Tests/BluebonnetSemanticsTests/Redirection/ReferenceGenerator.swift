// SPDX-License-Identifier: MIT
import BluebonnetTestSupport

/// Bases and references of every shape that RFC 3986 §4.1 and §5.2 tell apart, the same ones in every run.
struct ReferenceGenerator {
  private var random = SeededGenerator(seed: 3986)

  private static let segments = [
    ".", "..", "...", "", "a", "b.c", "d;p=1", "e:f", "%2e", "%2E%2e", "%41", "g=h&i", "~", "a+b", "..a",
    "a..",
  ]

  mutating func base() -> String {
    let authority = pick(["a.test", "a.test:8080", "[::1]", "u:p@a.test"])
    return pick(["http", "https"]) + "://" + authority + pick(["", path(rooted: true), path(rooted: true)])
      + query()
      + fragment()
  }

  mutating func reference() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      "//" + pick(["b.test", "b.test:81", "[::2]"]) + pick(["", path(rooted: true)]) + query() + fragment()
    case 1:
      pick(["http", "https", "ftp"]) + "://b.test" + pick(["", path(rooted: true)]) + query() + fragment()
    case 2: query() + fragment()
    case 3, 4: notAnAuthority(path(rooted: true)) + query() + fragment()
    default: notAnAuthority(path(rooted: false)) + query() + fragment()
    }
  }

  /// Two slashes in front would begin an authority, which a segment need not be fit for.
  private func notAnAuthority(_ path: String) -> String { path.hasPrefix("//") ? "/." + path : path }

  private mutating func path(rooted: Bool) -> String {
    let count = Int.random(in: 0..<6, using: &random)
    return (rooted ? "/" : "") + (0..<count).map { _ in pick(Self.segments) }.joined(separator: "/")
  }

  private mutating func query() -> String { pick(["", "", "?", "?x", "?x=1&y=/../z", "?a?b"]) }

  private mutating func fragment() -> String { pick(["", "", "", "#", "#f", "#/../f?g"]) }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
