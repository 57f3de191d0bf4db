extension HTTPClient {
  /// A response whose body is read as it comes.
  public struct StreamingResponse: Sendable {
    /// The status, status line and fields.
    public let head: Head
    /// How many bytes the body has; nil where nobody knows before they are there.
    public let length: Int?
    /// The content, decoded if it was coded and ``Configuration/decodesContent`` is set.
    public let body: ResponseBody

    /// The status, from 200 to 999.
    public var status: Int { head.status }
    /// The fields, as they came.
    public var fields: Fields { head.fields }
  }
}
