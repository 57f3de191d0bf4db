// SPDX-License-Identifier: MIT

/// The name under which a body can be saved.
package enum SuggestedFilename {
  /// The peer's proposal, else the end of the address, else "Unknown"; with an extension if the media type has
  /// one and the name does not.
  package static func make(disposition: String?, lastPathComponent: String?, mediaType: String?) -> String {
    if let proposed = disposition.flatMap(ContentDisposition.init)?.safeFilename { return proposed }
    let last = lastPathComponent.flatMap(ContentDisposition.safeFilename(in:)) ?? "Unknown"
    guard !last.contains("."), let ending = mediaType.flatMap({ endings[$0] }) else { return last }
    return "\(last).\(ending)"
  }

  /// The media type of a file by the end of its name, in lower case.
  package static func mediaType(ofExtension ending: String) -> String? { types[ending] }

  private static let types: [String: String] = {
    var types = Dictionary(endings.sorted { $0.key < $1.key }.map { ($1, $0) }) { first, _ in first }
    // RFC 9239 has it so; the others are second names.
    types["js"] = "text/javascript"
    types["mjs"] = "text/javascript"
    types["jpg"] = "image/jpeg"
    types["htm"] = "text/html"
    types["tif"] = "image/tiff"
    return types
  }()

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
