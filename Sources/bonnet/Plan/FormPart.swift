/// The value of `-F`.
struct FormPart: Equatable {
  let name: String
  var fileName: String?
  var type: String?
  let content: [UInt8]

  init(_ text: String, read: (String) throws(Complaint) -> [UInt8]) throws(Complaint) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw Complaint(.usage, "a part of a form is written as name=value, not as '\(text)'")
    }
    name = String(text[..<equals])
    let value = text[text.index(after: equals)...]
    let pieces = value.split(separator: ";", omittingEmptySubsequences: false)
    var kept = pieces.count
    for piece in pieces.dropFirst().reversed() {
      if piece.hasPrefix("type=") {
        type = String(piece.dropFirst("type=".count))
      } else if piece.hasPrefix("filename=") {
        fileName = String(piece.dropFirst("filename=".count))
      } else {
        break
      }
      kept -= 1
    }
    let source = pieces.prefix(kept).joined(separator: ";")
    switch source.first {
    case "@":
      let path = String(source.dropFirst())
      content = try read(path)
      if fileName == nil { fileName = path.split(separator: "/").last.map(String.init) ?? path }
      if type == nil { type = MediaType.guessed(fromPath: path) }
    case "<":
      content = try read(String(source.dropFirst()))
    default:
      content = Array(source.utf8)
    }
  }
}
