// SPDX-License-Identifier: MIT

/// The content types that file extensions stand for.
enum MIMEType {
  /// The content type of files with this extension; of unknown ones, bytes.
  static func named(byExtension pathExtension: String) -> String {
    byExtension[pathExtension.lowercased()] ?? "application/octet-stream"
  }

  /// Extensions that are the names of their subtypes, too.
  private static let namesakes: [(type: String, subtypes: String)] = [
    ("text", "css csv html rtf"),
    ("application", "json pdf sql wasm xml yaml zip"),
    ("image", "avif bmp gif heic heif jp2 jpeg jxl png tiff webp"),
    ("audio", "aac aiff flac midi ogg wav"),
    ("video", "mp4 mpeg webm"),
    ("font", "otf ttf woff woff2"),
  ]

  // From the IANA registry, and for the few that it does not know from the WHATWG's MIME Sniffing.
  private static let byExtension: [String: String] = {
    var types = others
    for (type, subtypes) in namesakes {
      for subtype in subtypes.split(separator: " ") { types[String(subtype)] = "\(type)/\(subtype)" }
    }
    return types
  }()

  private static let others: [String: String] = [
    // Text
    "htm": "text/html",
    "ics": "text/calendar",
    "js": "text/javascript",
    "log": "text/plain",
    "md": "text/markdown",
    "mjs": "text/javascript",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "vcf": "text/vcard",
    // Data
    "atom": "application/atom+xml",
    "bin": "application/octet-stream",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "epub": "application/epub+zip",
    "geojson": "application/geo+json",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "plist": "application/x-plist",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "ps": "application/postscript",
    "rss": "application/rss+xml",
    "xhtml": "application/xhtml+xml",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "yml": "application/yaml",
    // Archives
    "7z": "application/x-7z-compressed",
    "br": "application/x-brotli",
    "bz2": "application/x-bzip2",
    "gz": "application/gzip",
    "jar": "application/java-archive",
    "rar": "application/vnd.rar",
    "tar": "application/x-tar",
    "xz": "application/x-xz",
    "zst": "application/zstd",
    // Images
    "ico": "image/vnd.microsoft.icon",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
    // Sound
    "aif": "audio/aiff",
    "m4a": "audio/mp4",
    "mid": "audio/midi",
    "mp3": "audio/mpeg",
    "oga": "audio/ogg",
    "opus": "audio/ogg",
    "weba": "audio/webm",
    // Films
    "avi": "video/x-msvideo",
    "m4v": "video/mp4",
    "mkv": "video/matroska",
    "mov": "video/quicktime",
    "mpg": "video/mpeg",
    "ogv": "video/ogg",
  ]
}
