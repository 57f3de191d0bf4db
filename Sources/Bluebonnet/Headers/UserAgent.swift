import BluebonnetFoundation

/// The default `User-Agent`, from what the process knows about itself.
enum UserAgent {
  static var current: String {
    let bundle = BundleFacts.main
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return compose(
      executable: bundle.executable ?? executable(fromArgument: CommandLine.arguments.first),
      version: bundle.version, bundle: bundle.identifier, build: bundle.build,
      system: "Linux \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
  }

  static func compose(
    executable: String?, version: String?, bundle: String?, build: String?, system: String
  ) -> String {
    let unknown = "Unknown"
    return """
      \(executable ?? unknown)/\(version ?? unknown) \
      (\(bundle ?? unknown); build:\(build ?? unknown); \(system)) \
      Bluebonnet/\(BluebonnetInfo.version) Alamofire/\(AFInfo.version)
      """
  }

  /// The last component of `argv[0]`, kept to the characters of a token (RFC 9110 §5.6.2) so that a strangely
  /// named executable cannot make every request invalid.
  static func executable(fromArgument argument: String?) -> String? {
    guard let name = argument?.split(separator: "/").last else { return nil }
    let token = String(name.unicodeScalars.map { $0.isTokenCharacter ? Character($0) : "-" })
    return token.isEmpty ? nil : token
  }
}

extension Unicode.Scalar {
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
    default: false
    }
  }
}
