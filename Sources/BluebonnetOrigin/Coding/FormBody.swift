// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The `form` member of a reply: the request body read as its Content-Type says.
enum FormBody {
  /// The pairs in `body`, or nil if that Content-Type is no form or `body` does not fit it.
  static func pairs(_ body: [UInt8], contentType: String?) -> [(name: String, value: String)]? {
    guard let contentType, !body.isEmpty else { return nil }
    let type = FieldParameters(contentType)
    switch type.value {
    case "application/x-www-form-urlencoded":
      return String(validating: body, as: UTF8.self).map(PercentCoding.pairs)
    case "multipart/form-data":
      return type["boundary"].flatMap { MultipartBody.pairs(body, boundary: $0) }
    case "application/json":
      return FlatJSONParser.pairs(body)
    default:
      return nil
    }
  }
}
