import BluebonnetFoundation
import BluebonnetHTTP1

// Unchecked: constants only.
/// The head of an HTTP response.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
  /// The status code.
  public let statusCode: Int
  /// The minor version of HTTP/1.
  package let minorVersion: Int
  let fields: ResponseFields

  /// Makes a response from a dictionary of fields.
  public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
    self.statusCode = statusCode
    minorVersion = httpVersion == "HTTP/1.0" ? 0 : 1
    fields = ResponseFields(headerFields ?? [:])
    super.init(url: url)
  }

  /// The head of a response as received.
  package init(url: URL, statusCode: Int, minorVersion: Int, fields: FieldBlock) {
    self.statusCode = statusCode
    self.minorVersion = minorVersion
    self.fields = ResponseFields(fields)
    super.init(url: url)
  }

  /// All fields by name; values of equal names are joined by a comma (RFC 9110 §5.2).
  public var allHeaderFields: [AnyHashable: Any] { fields.dictionary }

  /// The value of a field, whatever the case of its name; values of equal names are joined by a comma.
  public func value(forHTTPHeaderField field: String) -> String? { fields.joinedValue(of: field) }

  /// The media type of `Content-Type`, in lower case and without parameters.
  public override var mimeType: String? { mediaType?.essence }

  /// The `charset` parameter of `Content-Type`, in lower case.
  public override var textEncodingName: String? { mediaType?.charset }

  /// `Content-Length`, where it says anything about the bytes that are delivered.
  public override var expectedContentLength: Int64 {
    // A coded body is delivered decoded: its length on the wire is not the length of the data.
    guard fields.joinedValue(of: "Content-Encoding") == nil,
      let text = fields.joinedValue(of: "Content-Length"),
      let length = Int64(text), length >= 0
    else { return NSURLSessionTransferSizeUnknown }
    return length
  }

  /// A name under which the body can be saved: `Content-Disposition`, the address, or a default.
  public override var suggestedFilename: String? {
    SuggestedFilename.make(
      disposition: fields.joinedValue(of: "Content-Disposition"), url: url, mimeType: mimeType)
  }

  private var mediaType: MediaType? {
    fields.joinedValue(of: "Content-Type").flatMap(MediaType.init)
  }

  override func isEqual(to other: URLResponse) -> Bool {
    guard let other = other as? HTTPURLResponse else { return false }
    return statusCode == other.statusCode && url == other.url && fields.dictionary == other.fields.dictionary
  }

  /// The address, the status and the fields.
  public override var description: String {
    let lines = fields.dictionary.sorted { $0.key < $1.key }.map { "    \"\($0.key)\" = \"\($0.value)\";" }
    return "<HTTPURLResponse> { URL: \(url?.absoluteString ?? "") } { Status Code: \(statusCode), Headers {\n"
      + lines.joined(separator: "\n") + "\n} }"
  }
}
