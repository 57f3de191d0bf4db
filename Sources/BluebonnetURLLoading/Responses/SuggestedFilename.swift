import BluebonnetFoundation

/// The name under which a body can be saved.
enum SuggestedFilename {
  /// What the peer proposes, else the end of the address, else "Unknown"; with an extension if the media type has
  /// one and the name does not.
  static func make(disposition: String?, url: URL?, mimeType: String?) -> String? {
    if let proposed = disposition.flatMap(ContentDispositionName.parse).flatMap(safe) { return proposed }
    let last = (url?.lastPathComponent).flatMap(safe) ?? "Unknown"
    guard !last.contains("."), let ending = mimeType.flatMap({ endings[$0] }) else { return last }
    return "\(last).\(ending)"
  }

  /// A peer must not choose the directory: only the last component counts, and controls go
  /// (RFC 6266 §4.3, RFC 2183 §2.3).
  static func safe(_ name: String) -> String? {
    // Scalars, not characters: an accent behind a slash makes another character of it, but no other path.
    let last =
      name.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
      ?? Substring.UnicodeScalarView()
    let scalars = last.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    let plain = String(String.UnicodeScalarView(scalars))
    return plain.isEmpty || plain.allSatisfy({ $0 == "." || $0 == " " }) ? nil : plain
  }

  private static let endings = [
    "application/json": "json", "application/pdf": "pdf", "application/xml": "xml", "application/zip": "zip",
    "application/gzip": "gz", "application/javascript": "js", "text/css": "css", "text/csv": "csv",
    "text/html": "html", "text/javascript": "js", "text/markdown": "md", "text/plain": "txt",
    "text/xml": "xml",
    "image/avif": "avif", "image/bmp": "bmp", "image/gif": "gif", "image/heic": "heic", "image/jpeg": "jpeg",
    "image/jxl": "jxl", "image/png": "png", "image/svg+xml": "svg", "image/tiff": "tiff",
    "image/webp": "webp",
    "audio/mpeg": "mp3", "video/mp4": "mp4",
  ]
}
