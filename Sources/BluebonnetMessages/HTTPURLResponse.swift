// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

// Unchecked: constants only.
/// The head of an HTTP response.
///
/// It keeps the bytes that arrived; strings and dictionaries are made when they are asked for.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
  /// The three digits of the status line, such as 404.
  public let statusCode: Int
  /// The minor version of HTTP/1: 0 or 1; 1 for a response that was made from parts, unless they say `HTTP/1.0`. An addition of this
  /// package.
  public let minorVersion: Int
  /// The fields in order, with duplicates.
  package let fields: FieldBlock

  /// Makes a response from a dictionary of fields.
  public convenience init?(
    url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?
  ) {
    let sorted = (headerFields ?? [:]).sorted { $0.key < $1.key }
    self.init(
      url: url, statusCode: statusCode, minorVersion: httpVersion == "HTTP/1.0" ? 0 : 1,
      fields: FieldBlock(sorted.map { ($0.key, $0.value) }))
  }

  /// Makes a response from what a parser found.
  package init(url: URL, statusCode: Int, minorVersion: Int, fields: FieldBlock) {
    self.statusCode = statusCode
    self.minorVersion = minorVersion
    self.fields = fields
    super.init(url: url)
  }

  /// The media type of `Content-Type`, in lower case and without parameters.
  public override var mimeType: String? { mediaType?.essence }

  /// The `charset` parameter of `Content-Type`, in lower case.
  public override var textEncodingName: String? { mediaType?.charset }

  /// `Content-Length`, where it says anything about the bytes that are delivered.
  public override var expectedContentLength: Int64 {
    // A coded body is delivered decoded: its length on the wire is not the length of the data.
    guard !fields.contains(.contentEncoding), let index = fields.index(of: .contentLength) else {
      return NSURLSessionTransferSizeUnknown
    }
    return fields.withValue(at: index, Self.length)
  }

  private static func length(_ digits: Span<UInt8>) -> Int64 {
    // Eighteen digits cannot overflow; a body of an exabyte is as good as unknown.
    guard (1...18).contains(digits.count) else { return NSURLSessionTransferSizeUnknown }
    var length: Int64 = 0
    for index in digits.indices {
      let digit = digits[index] &- 48
      guard digit < 10 else { return NSURLSessionTransferSizeUnknown }
      length = length * 10 + Int64(digit)
    }
    return length
  }

  /// A name under which the body can be saved: `Content-Disposition`, the address, or a default.
  public override var suggestedFilename: String? {
    SuggestedFilename.make(
      disposition: fields.first(.contentDisposition), lastPathComponent: url?.lastPathComponent,
      mediaType: mimeType)
  }

  private var mediaType: MediaType? {
    fields.first(.contentType).flatMap(MediaType.init)
  }

  package override func isEqual(to other: URLResponse) -> Bool {
    guard let other = other as? HTTPURLResponse else { return false }
    return statusCode == other.statusCode && url == other.url && joinedFields == other.joinedFields
  }

  /// The address without user information, the status and the fields, but for the cookies' values.
  public override var description: String {
    let lines = joinedFields.fields.map { "    \"\($0.name)\" = \"\($0.shownValue)\";" }.sorted()
    let address = url?.withoutUserInformation.absoluteString ?? ""
    return "<HTTPURLResponse> { URL: \(address) } { Status Code: \(statusCode), Headers {\n"
      + lines.joined(separator: "\n") + "\n} }"
  }
}
