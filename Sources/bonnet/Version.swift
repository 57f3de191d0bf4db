/// The version of the command line, the same as the package's.
enum Version {
  static let current = "0.1.0"
}
