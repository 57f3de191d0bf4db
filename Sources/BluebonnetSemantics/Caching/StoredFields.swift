// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The fields of a stored response: the ones kept, and their update (RFC 9111 §3.1 and §3.2).
enum StoredFields {
  /// Those that concern the connection, or a proxy on the way.
  private static let unstored = Names(
    [
      .connection, .keepAlive, .proxyConnection, .proxyAuthenticate, .proxyAuthorization, .te, .trailer,
      .transferEncoding, .upgrade,
    ], ["proxy-authentication-info"])

  /// Digests of a message's content (RFC 9530 §2), and not of the representation.
  private static let digests = ["content-md5", "content-digest"]
  /// Fields of the stored body, never changed by a later head: codings have been undone, and lengths counted.
  private static let fixed = Names([.contentEncoding, .contentLength, .contentRange], digests)

  /// Whether a block's field is a digest of its message's content: it says nothing of a part of that, or of more.
  static func isDigest(_ fields: FieldBlock, _ index: Int) -> Bool {
    digests.contains { fields.hasName($0, at: index) }
  }

  /// The fields that may be kept of a response.
  ///
  /// - Parameter arrival: When it came, in seconds since 1970: what its `Date` is if it has none (RFC 9110 §6.6.1).
  static func kept(_ fields: FieldBlock, _ directives: ResponseDirectives, arrival: Int) -> FieldBlock {
    let excluded = excluded(from: fields, directives)
    return dated(fields.filtered(roomFor: 64) { !excluded.contain(fields, $0) }, arrival)
  }

  /// Stored fields with what a newer response says of the same representation.
  ///
  /// - Parameter arrival: When the newer one came, as for ``kept(_:_:arrival:)``: a stored date is that of what came then.
  static func updated(
    _ stored: FieldBlock, with newer: FieldBlock, _ directives: ResponseDirectives, arrival: Int
  ) -> FieldBlock {
    let excluded = excluded(from: newer, directives)
    // So is an age that was stated.
    let dropped = Names([.age, .date], directives.unusableFields)
    var fields = stored.filtered(roomFor: newer.byteCount + 64) { index in
      let isReplaced =
        stored.known(at: index).map { newer.contains($0) } ?? newer.contains(stored.name(at: index))
      return (!isReplaced || fixed.contain(stored, index)) && !dropped.contain(stored, index)
    }
    fields.append(newer) { !excluded.contain(newer, $0) && !fixed.contain(newer, $0) }
    return dated(fields, arrival)
  }

  // Consumed: the one holder of a block adds to it without a copy.
  private static func dated(_ fields: consuming FieldBlock, _ arrival: Int) -> FieldBlock {
    if !fields.contains(.date) { fields.append(name: "Date", value: HTTPDate.format(arrival)) }
    return fields
  }

  private static func excluded(from fields: FieldBlock, _ directives: ResponseDirectives) -> Names {
    var names = unstored
    names.add(directives.unusableFields)
    for value in fields.values(.connection) { names.add(value.lowercasedElements) }
    return names
  }

  /// Names of fields: nearly all are known ones, which are told by a bit.
  private struct Names {
    private var known: UInt64 = 0
    /// In lower case; known ones may be among them.
    private var others: [String] = []
    /// In their place once they are more than a few: a response may list thousands, and every field is looked for among them.
    private var many: Set<String> = []

    private static let few = 8

    init(_ known: [KnownField], _ others: [String]) {
      for field in known { self.known |= field.bit }
      add(others)
    }

    mutating func add(_ names: [String]) {
      if many.isEmpty, others.count + names.count <= Self.few { return others += names }
      many.formUnion(others)
      many.formUnion(names)
      others = []
    }

    /// Whether the name of a block's field is one of them.
    func contain(_ fields: FieldBlock, _ index: Int) -> Bool {
      if let field = fields.known(at: index), known & field.bit != 0 { return true }
      if many.isEmpty { return others.contains { fields.hasName($0, at: index) } }
      return many.contains(fields.name(at: index).asciiLowercased)
    }
  }
}
