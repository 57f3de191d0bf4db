// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Reads the body as text: in an encoding that was asked for, or the one that the response names (by any label of the WHATWG's
/// Encoding standard), or ISO Latin 1.
public final class StringResponseSerializer: ResponseSerializer {
  /// The change of the body before it is read.
  public let dataPreprocessor: any DataPreprocessor
  /// The encoding to read with, whatever the response says.
  public let encoding: String.Encoding?
  /// The statuses with responses that may have no body.
  public let emptyResponseCodes: Set<Int>
  /// The methods with responses that may have no body.
  public let emptyRequestMethods: Set<HTTPMethod>

  /// Makes a serializer.
  ///
  /// - Parameters:
  ///   - dataPreprocessor: Changes the body first; by default it is not changed.
  ///   - encoding: The encoding to read in; `nil`, the default, for the one that the response names, or ISO Latin 1.
  ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
  ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
  public init(
    dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
    encoding: String.Encoding? = nil,
    emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
  ) {
    self.dataPreprocessor = dataPreprocessor
    self.encoding = encoding
    self.emptyResponseCodes = emptyResponseCodes
    self.emptyRequestMethods = emptyRequestMethods
  }

  /// The text, in the encoding that was asked for, or else the one the response names, or else ISO Latin 1.
  public func serialize(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> String {
    guard let data = try body(request: request, response: response, data: data, error: error) else {
      return ""
    }
    let named = response?.textEncodingName
    let encoding = encoding ?? named.flatMap(String.Encoding.init(charset:))
    if let encoding, let text = String(data: data, encoding: encoding) { return text }
    // Names that Foundation has no encoding for, and encodings that it has no converter for on Linux.
    if self.encoding == nil, let charset = named.flatMap(Charset.init(label:)) {
      if let text = charset.decode(data) { return text }
    } else if encoding == nil, let text = String(data: data, encoding: .isoLatin1) {
      return text
    }
    throw AFError.responseSerializationFailed(
      reason: .stringSerializationFailed(encoding: encoding ?? .isoLatin1))
  }
}

extension String.Encoding {
  /// The encoding of an IANA charset name, for those a server may be expected to use.
  init?(charset: String) {
    switch charset.lowercased() {
    case "utf-8", "utf8": self = .utf8
    case "us-ascii", "ascii": self = .ascii
    case "iso-8859-1", "latin1": self = .isoLatin1
    case "unicode-1-1", "iso-10646-ucs-2", "utf-16": self = .utf16
    case "utf-16be": self = .utf16BigEndian
    case "utf-16le": self = .utf16LittleEndian
    case "utf-32": self = .utf32
    case "utf-32be": self = .utf32BigEndian
    case "utf-32le": self = .utf32LittleEndian
    case "iso-8859-2": self = .isoLatin2
    case "windows-1250": self = .windowsCP1250
    case "windows-1251": self = .windowsCP1251
    case "windows-1252": self = .windowsCP1252
    case "shift_jis": self = .shiftJIS
    case "euc-jp": self = .japaneseEUC
    default: return nil
    }
  }
}

extension ResponseSerializer where Self == StringResponseSerializer {
  /// Reads the body as text, with all defaults.
  public static var string: StringResponseSerializer { StringResponseSerializer() }

  /// Reads the body as text.
  ///
  /// - Parameters:
  ///   - dataPreprocessor: Changes the body first; by default it is not changed.
  ///   - encoding: The encoding to read in; `nil`, the default, for the one that the response names, or ISO Latin 1.
  ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
  ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
  /// - Returns: The serializer.
  public static func string(
    dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
    encoding: String.Encoding? = nil,
    emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
  ) -> StringResponseSerializer {
    StringResponseSerializer(
      dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
      emptyRequestMethods: emptyRequestMethods)
  }
}
