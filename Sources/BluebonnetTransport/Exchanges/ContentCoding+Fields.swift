import BluebonnetContentCoding
import BluebonnetHTTP1

extension ContentCoding {
  /// The codings that a response's body went through, in the order in which they were applied.
  ///
  /// - Returns: nil if there is nothing to undo, or one that we cannot: then the body is delivered as it came,
  ///   with the field that says so.
  static func list(in fields: FieldBlock) -> [ContentCoding]? {
    guard fields.contains(.contentEncoding) else { return nil }
    var codings: [ContentCoding] = []
    for value in fields.values(.contentEncoding) {
      for element in value.split(separator: ",") {
        let name = element.filter { $0 != " " && $0 != "\t" }.lowercased()
        if name.isEmpty || name == "identity" { continue }
        guard let coding = ContentCoding(name: name) else { return nil }
        codings.append(coding)
      }
    }
    return codings.isEmpty ? nil : codings
  }
}
