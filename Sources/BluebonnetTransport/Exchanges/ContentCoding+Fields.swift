// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetHTTP1

extension ContentCoding {
  /// The codings of a response's body that are to be undone, in the order in which they were applied: the content's, then the
  /// transfer's.
  ///
  /// - Returns: nil if there are none.
  static func codings(
    of fields: FieldBlock, decodesContent: Bool, transferCodings: TransferCodings
  ) -> [ContentCoding]? {
    // The framing of the chunks is no part of the coded bytes.
    if transferCodings == .asReceived, fields.contains(.transferEncoding) { return nil }
    let content = decodesContent ? list(in: fields) : nil
    guard transferCodings == .compressed, fields.contains(.transferEncoding) else { return content }
    let codings = (content ?? []) + transferList(in: fields)
    return codings.isEmpty ? nil : codings
  }

  /// The codings that a response's body went through, in the order in which they were applied.
  ///
  /// - Returns: nil if there is nothing to undo, or something that we cannot: then the body is delivered as it
  ///   came, with the field that says so.
  private static func list(in fields: FieldBlock) -> [ContentCoding]? {
    guard fields.contains(.contentEncoding) else { return nil }
    let value = fields.values(.contentEncoding).joined(separator: ",")
    guard let codings = try? list(fieldValue: value), !codings.isEmpty else { return nil }
    return codings
  }

  /// The transfer codings that a response's content went through before its chunks were made (RFC 9112 §7), in that order.
  /// The parser has let only supported codings pass.
  private static func transferList(in fields: FieldBlock) -> [ContentCoding] {
    fields.values(.transferEncoding).joined(separator: ",").utf8.split(separator: UInt8(ascii: ","))
      .compactMap { element in
        ContentCoding(name: String(decoding: element.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self))
      }
  }
}
