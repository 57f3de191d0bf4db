/// The version of the command line, which is that of the package.
enum Version {
  static let current = "0.1.0"
}
