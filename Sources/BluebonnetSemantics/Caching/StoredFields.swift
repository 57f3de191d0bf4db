import BluebonnetHTTP1

/// The fields of a stored response: the ones kept, and their update (RFC 9111 §3.1 and §3.2).
enum StoredFields {
  /// Those that concern the connection, or a proxy on the way.
  private static let unstored = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Fields of the stored body, never changed by a later head: codings have been undone, and lengths counted.
  private static let fixed = ["content-encoding", "content-length", "content-range", "content-md5"]

  /// The fields that may be kept of a response.
  ///
  /// - Parameter arrival: When it came, in seconds since 1970: what its `Date` is if it has none (RFC 9110 §6.6.1).
  static func kept(_ fields: FieldBlock, _ directives: ResponseDirectives, arrival: Int) -> FieldBlock {
    let excluded = excluded(from: fields, directives)
    var kept = fields.filtered(roomFor: 64) { !excluded.contains(fields.name(at: $0)) }
    if !kept.contains(.date) { kept.append(name: "Date", value: HTTPDate.format(arrival)) }
    return kept
  }

  /// Stored fields with what a newer response says of the same representation.
  ///
  /// - Parameter arrival: When the newer one came, as for ``kept(_:_:arrival:)``: a stored date is that of what came then.
  static func updated(
    _ stored: FieldBlock, with newer: FieldBlock, _ directives: ResponseDirectives, arrival: Int
  ) -> FieldBlock {
    var excluded = excluded(from: newer, directives)
    excluded.add(fixed)
    let added = newer.indices.filter { !excluded.contains(newer.name(at: $0)) }.map { newer[$0] }
    // So is an age that was stated.
    let dropped = directives.unusableFields + ["age", "date"]
    let rest = stored.indices.map { stored[$0] }.filter { name, _ in
      !newer.contains(name) || fixed.contains { name.equalsIgnoringASCIICase($0) }
    }
    .filter { name, _ in !dropped.contains { name.equalsIgnoringASCIICase($0) } }
    var fields = FieldBlock(rest + added)
    if !fields.contains(.date) { fields.append(name: "Date", value: HTTPDate.format(arrival)) }
    return fields
  }

  private static func excluded(from fields: FieldBlock, _ directives: ResponseDirectives) -> Names {
    var names = Names(list: unstored + directives.unusableFields)
    for value in fields.values(.connection) {
      names.add(value.split(separator: ",").map { $0.trimmingOptionalWhitespace.asciiLowercased })
    }
    return names
  }

  private struct Names {
    private(set) var list: [String]

    init(list: [String]) { self.list = list }

    mutating func add(_ names: [String]) { list += names }

    func contains(_ name: String) -> Bool { list.contains { name.equalsIgnoringASCIICase($0) } }
  }
}
