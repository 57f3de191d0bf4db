/// Types of files by their names, as far as curl guesses them.
enum MediaType {
  static func guessed(fromPath path: String) -> String? {
    let name = path.lowercased()
    return known.first { name.hasSuffix($0.ending) }?.type
  }

  private static let known: [(ending: String, type: String)] = [
    (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
    (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
    (".pdf", "application/pdf"), (".xml", "application/xml"),
  ]
}
