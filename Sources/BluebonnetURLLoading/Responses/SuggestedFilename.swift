import BluebonnetFoundation

/// The name under which a body can be saved.
enum SuggestedFilename {
  static func make(disposition: String?, url: URL?, mimeType: String?) -> String? {
    guard let last = url?.lastPathComponent, !last.isEmpty, last != "/" else { return "Unknown" }
    return last
  }
}
