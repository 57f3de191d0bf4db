/// How files become parts of a request.
struct BodyFiles {
  /// Reads a whole file; `-` is standard input.
  let read: (String) throws(CommandError) -> [UInt8]
  /// The length of a file that is too large to be kept; nil for any other.
  var largeLength: (String) -> Int? = { _ in nil }

  /// A file as it is.
  func body(_ path: String) throws(CommandError) -> BodyPlan {
    if let length = largeLength(path) { return BodyPlan(path: path, length: length) }
    return BodyPlan(try read(path))
  }
}
