// SPDX-License-Identifier: MIT
#if HTTPTypes
  import BluebonnetSemantics
  import HTTPTypes

  extension HTTPField {
    /// The bytes of the value.
    var bytes: [UInt8] { unsafe withUnsafeBytesOfValue { bytes in unsafe Array(bytes) } }

    /// The value, if it can be sent as a string: UTF-8 without control characters but HTAB (RFC 9110 §5.5).
    var sendableText: String? {
      let bytes = bytes
      return Self.isValidValue(bytes) ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The value as responses are read: UTF-8, or else ISO 8859-1.
    var text: String {
      let bytes = bytes
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      var scalars = String.UnicodeScalarView()
      for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
      return String(scalars)
    }

    /// A field of these bytes, without the whitespace around them, which is no part of a value.
    ///
    /// - Throws: for a name that is no token, and for CR, LF and NUL, which end a line elsewhere.
    init(name: String, bytes: some BidirectionalCollection<UInt8>) throws(HTTPConversionError) {
      guard let field = Name(name), !bytes.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
        throw .invalidField(name: name)
      }
      let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
      let value: [UInt8]
      if let first = bytes.firstIndex(where: { !isBlank($0) }),
        let last = bytes.lastIndex(where: { !isBlank($0) })
      {
        value = Array(bytes[first...last])
      } else {
        value = []
      }
      // Other control characters are kept where a lenient parser has let them pass.
      self =
        Self.isValidValue(value)
        ? HTTPField(name: field, value: value) : HTTPField(name: field, lenientValue: value)
    }

    /// A field that can be sent.
    ///
    /// - Throws: for what a request would be refused for.
    init(sending name: String, _ value: String) throws(HTTPConversionError) {
      try self.init(name: name, bytes: value.utf8)
      if sendableText == nil { throw .invalidField(name: name) }
    }
  }

  extension HTTPFields {
    /// One field more stops the program in swift-http-types.
    static var largestCount: Int { Int(UInt16.max) }
  }

  extension HTTPField.Name {
    /// `Host`, the constant for which swift-http-types has made unavailable.
    static let hostField = HTTPField.Name("Host")

    /// The text between the values of fields of this name: RFC 9110 §5.3, and of cookies RFC 9113 §8.2.3.
    var separator: String { self == .cookie ? "; " : ", " }
  }
#endif
