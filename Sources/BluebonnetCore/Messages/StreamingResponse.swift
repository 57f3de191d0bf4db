// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// A response with a body that is read as it comes.
  public struct StreamingResponse: Sendable {
    /// The status, status line and fields.
    public let head: Head
    /// The length of the body in bytes; nil where it is unknown before they are there.
    public let length: Int?
    /// The content, decoded if it was coded and ``Configuration/decodesContent`` is set.
    public let body: ResponseBody

    /// The status, from 200 to 999.
    public var status: Int { head.status }
    /// The fields, as they came.
    public var fields: Fields { head.fields }
  }
}
