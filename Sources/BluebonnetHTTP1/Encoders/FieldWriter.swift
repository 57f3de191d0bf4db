/// Validates before it appends, so that a refused field leaves no trace.
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
    var offset = 0
    for byte in text.utf8 {
      guard token.contains(byte) else { throw HTTP1Error(rule, offset: offset, fault: .caller) }
      offset += 1
    }
    if offset == 0 { throw HTTP1Error(rule, offset: 0, fault: .caller) }
  }

  /// A field value or a reason phrase: no control byte but HTAB (RFC 9110 §5.5).
  static func checkText(_ text: String, _ rule: HTTP1Error.Rule) throws(HTTP1Error) {
    var offset = 0
    for byte in text.utf8 {
      guard !Byte.isForbiddenInValue(byte) else { throw HTTP1Error(rule, offset: offset, fault: .caller) }
      offset += 1
    }
  }
}
