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

extension HTTPURLResponse {
  /// All fields by name; values of equal names are joined by a comma (RFC 9110 §5.3).
  public var allHeaderFields: [AnyHashable: Any] {
    var result: [AnyHashable: Any] = [:]
    result.reserveCapacity(fields.count)
    for field in joinedFields.fields { result[field.name] = field.value }
    return result
  }

  /// The value of a field, whatever the case of its name; values of equal names are joined by a comma.
  public func value(forHTTPHeaderField field: String) -> String? {
    guard let first = fields.index(of: field) else { return nil }
    guard fields.index(of: field, from: first + 1) != nil else { return fields.value(at: first) }
    return fields.values(field).joined(separator: ", ")
  }

  /// The head as it came over the wire, from the status line to the empty line; nil for a response that did not come over one.
  /// An addition of this package.
  public var receivedHead: Data? { fields.head.map { Data($0) } }

  /// The fields in order of arrival, each name once.
  package var joinedFields: HeaderFields {
    var result = HeaderFields()
    for index in fields.indices {
      result.add(name: fields.name(at: index), value: fields.value(at: index), separator: ", ")
    }
    return result
  }

  /// A short sentence for a status code, in lower case.
  public class func localizedString(forStatusCode statusCode: Int) -> String {
    reasons[statusCode] ?? families[statusCode / 100] ?? "server error"
  }

  private static let families = [
    1: "informational", 2: "success", 3: "redirected", 4: "client error", 5: "server error",
  ]

  // RFC 9110 §15, RFC 6585, RFC 7725, RFC 8297, RFC 4918, RFC 8470.
  private static let reasons: [Int: String] = [
    100: "continue", 101: "switching protocols", 102: "processing", 103: "early hints",
    200: "no error", 201: "created", 202: "accepted", 203: "non-authoritative information", 204: "no content",
    205: "reset content", 206: "partial content", 207: "multi-status", 208: "already reported",
    226: "im used",
    300: "multiple choices", 301: "moved permanently", 302: "found", 303: "see other", 304: "not modified",
    305: "needs proxy", 307: "temporarily redirected", 308: "permanent redirect",
    400: "bad request", 401: "unauthorized", 402: "payment required", 403: "forbidden", 404: "not found",
    405: "method not allowed", 406: "unacceptable", 407: "proxy authentication required",
    408: "request timed out", 409: "conflict", 410: "no longer exists", 411: "length required",
    412: "precondition failed", 413: "request too large", 414: "requested URL too long",
    415: "unsupported media type", 416: "requested range not satisfiable", 417: "expectation failed",
    418: "i'm a teapot", 421: "misdirected request", 422: "unprocessable content", 423: "locked",
    424: "failed dependency", 425: "too early", 426: "upgrade required", 428: "precondition required",
    429: "too many requests", 431: "request header fields too large", 451: "unavailable for legal reasons",
    500: "internal server error", 501: "unimplemented", 502: "bad gateway", 503: "service unavailable",
    504: "gateway timed out", 505: "unsupported version", 507: "insufficient storage", 508: "loop detected",
    511: "network authentication required",
  ]

  /// The authentication schemes that a 401 or 407 demands, in the server's order, such as `["negotiate", "basic"]`; in lower
  /// case, empty for other responses and where none is named.
  ///
  /// A session can answer Basic, Digest, NTLM and Negotiate.
  public var demandedAuthenticationSchemes: [String] {
    let name =
      switch statusCode {
      case 401: "WWW-Authenticate"
      case 407: "Proxy-Authenticate"
      default: nil as String?
      }
    guard let name, let field = value(forHTTPHeaderField: name) else { return [] }
    return ChallengeList(field).schemes
  }
}
