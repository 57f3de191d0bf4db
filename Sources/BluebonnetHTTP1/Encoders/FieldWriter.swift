/// Validates before it appends, so that a refused field leaves no trace.
///
/// Strings are checked in memory: byte by byte out of a short one, which has no memory of its own, costs ten times as much.
enum FieldWriter {
  static func append(name: String, value: String, to bytes: inout [UInt8]) throws(HTTP1Error) {
    try checkToken(name, .invalidFieldName)
    try checkText(value, .invalidFieldValue)
    bytes.append(contentsOf: name.utf8)
    bytes.append(Byte.colon)
    bytes.append(Byte.space)
    bytes.append(contentsOf: value.utf8)
    bytes.append(Byte.cr)
    bytes.append(Byte.lf)
  }

  /// A method or a field name (RFC 9110 §5.6.2).
  static func checkToken(_ text: String, _ rule: HTTP1Error.Rule) throws(HTTP1Error) {
    let token = ByteClass.token
    var text = text
    // An empty one is refused where its first byte would be.
    let refused = text.withUTF8 { $0.isEmpty ? 0 : $0.firstIndex { !token.contains($0) } }
    if let refused { throw HTTP1Error(rule, offset: refused, fault: .caller) }
  }

  /// A field value or a reason phrase: no control byte but HTAB (RFC 9110 §5.5).
  static func checkText(_ text: String, _ rule: HTTP1Error.Rule) throws(HTTP1Error) {
    var text = text
    let refused = text.withUTF8 { $0.firstIndex { Byte.isForbiddenInValue($0) } }
    if let refused { throw HTTP1Error(rule, offset: refused, fault: .caller) }
  }
}
