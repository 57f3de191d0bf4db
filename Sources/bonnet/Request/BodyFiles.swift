/// The files that become parts of a request.
struct BodyFiles: Sendable {
  /// Reads a whole file; `-` is standard input.
  let read: @Sendable (String) throws(CommandError) -> [UInt8]
  /// The length of a file that is too large to be kept; nil for any other.
  var largeLength: @Sendable (String) -> Int? = { _ in nil }
  /// The time of a file's last change, in seconds since 1970; nil if there is none.
  var changeTime: @Sendable (String) -> Int? = { _ in nil }

  /// A file as it is.
  func body(_ path: String) throws(CommandError) -> BodyPlan {
    if let length = largeLength(path) { return BodyPlan(path: path, length: length) }
    return BodyPlan(try read(path))
  }
}
