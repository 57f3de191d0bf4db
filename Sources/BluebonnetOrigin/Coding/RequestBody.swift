import BluebonnetContentCoding

/// Undoes the content codings of a request's body.
enum RequestBody {
  /// The body as it was before it was encoded, or nil if it does not fit its `Content-Encoding`.
  static func decoded(_ request: RecordedRequest) -> [UInt8]? {
    let names = request.values("Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { trimmed($0).lowercased() }.filter { $0 != "identity" && !$0.isEmpty }
    guard !names.isEmpty, !request.body.isEmpty else { return request.body }
    return nil
  }
}
