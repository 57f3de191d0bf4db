// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// The size of a transfer of unknown length.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

// Unchecked: every stored member is constant, here and in the subclasses of this module.
/// The response for a URL, without the body.
open class URLResponse: @unchecked Sendable, Hashable, CustomStringConvertible {
  /// The address that the response is from, which after redirects is the last one's.
  public let url: URL?
  private let statedMimeType: String?
  private let statedLength: Int64
  private let statedEncoding: String?

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - url: The address that it is from.
  ///   - mimeType: Its media type, without parameters.
  ///   - length: Bytes of its body; -1 if unknown.
  ///   - name: Its charset, by its IANA name.
  public init(url: URL, mimeType: String?, expectedContentLength length: Int, textEncodingName name: String?)
  {
    self.url = url
    statedMimeType = mimeType
    statedLength = Int64(length)
    statedEncoding = name
  }

  package init(url: URL) {
    self.url = url
    statedMimeType = nil
    statedLength = NSURLSessionTransferSizeUnknown
    statedEncoding = nil
  }

  /// The media type in lower case, without parameters.
  open var mimeType: String? { statedMimeType }

  /// The length of the body, or `NSURLSessionTransferSizeUnknown`.
  open var expectedContentLength: Int64 { statedLength }

  /// The character set that the peer named, in lower case.
  open var textEncodingName: String? { statedEncoding }

  /// A name under which the body can be saved.
  open var suggestedFilename: String? {
    SuggestedFilename.make(
      disposition: nil, lastPathComponent: url?.lastPathComponent, mediaType: mimeType)
  }

  /// Whether all members are equal.
  public static func == (left: URLResponse, right: URLResponse) -> Bool {
    left === right || type(of: left) == type(of: right) && left.isEqual(to: right)
  }

  /// Compares the members of two responses of the same class.
  package func isEqual(to other: URLResponse) -> Bool {
    url == other.url && mimeType == other.mimeType && expectedContentLength == other.expectedContentLength
      && textEncodingName == other.textEncodingName
  }

  /// Hashes the address.
  public func hash(into hasher: inout Hasher) { hasher.combine(url) }

  /// The address, without the name and the password that may stand before its host, and the media type.
  open var description: String {
    "<\(type(of: self))> { URL: \(url?.withoutUserInformation.absoluteString ?? "") } { MIME Type: \(mimeType ?? ""), "
      + "Expected Content Length: \(expectedContentLength) }"
  }
}
