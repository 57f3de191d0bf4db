// SPDX-License-Identifier: MIT
import FoundationEssentials
import Testing

@testable import BluebonnetSemantics

/// `Location` beside another implementation of RFC 3986 §5: Foundation's `URL(string:relativeTo:)`.
@Suite struct LocationDifferentialTests {
  @Test func foundationResolvesTheSame() throws {
    var generator = ReferenceGenerator()
    for _ in 0..<5000 {
      let (base, reference) = (generator.base(), generator.reference())
      let expected = Foundation.resolve(reference, against: base)
      let found = Location.resolve(reference, against: base)
      try #require(found == expected, "\(reference) at \(base)")
    }
  }
}

/// What Foundation does, and what it is known to do otherwise.
private enum Foundation {
  static func resolve(_ reference: String, against base: String) -> String? {
    guard let resolved = resolvedPlainly(reference, against: base) else { return nil }
    // The base's fragment is a rule of redirects (RFC 9110 §10.2.2), not of references.
    let fragment = base.firstIndex(of: "#").map { base[$0...] } ?? ""
    return resolved.contains("#") ? resolved : resolved + fragment
  }

  private static func resolvedPlainly(_ reference: String, against base: String) -> String? {
    let place = base.prefix { $0 != "#" }
    // Foundation has no URL for an empty text, and RFC 3986 §5.2.2 has the base's.
    if reference.isEmpty { return String(place) }
    guard let authority = reference.firstRange(of: "//"), reference[..<authority.lowerBound].isScheme else {
      return URL(string: reference, relativeTo: URL(string: String(place)))?.absoluteString
    }
    // It leaves the dot segments behind an authority of the reference's own (§5.2.2 removes them): its path is handed to
    // it as one below a base with that authority.
    let ownScheme = String(reference[..<authority.lowerBound])
    let scheme = ownScheme.isEmpty ? String(place.prefix { $0 != ":" }) + ":" : ownScheme
    let end = reference[authority.upperBound...].firstIndex { "/?#".contains($0) } ?? reference.endIndex
    let site = scheme + String(reference[authority.lowerBound..<end])
    let rest = String(reference[end...])
    guard rest.hasPrefix("/") else { return site + rest }
    return URL(string: "." + rest, relativeTo: URL(string: site + "/"))?.absoluteString
  }
}

extension Substring {
  /// Empty, or a scheme with its colon.
  fileprivate var isScheme: Bool { isEmpty || last == ":" && dropLast().allSatisfy(\.isLetter) }
}
