// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1

/// The default `User-Agent`, from what the process knows about itself.
enum UserAgent {
  static var current: String {
    // On Linux there is usually none.
    let bundle = Bundle.ofProgram?.infoDictionary ?? [:]
    return compose(
      executable: bundle["CFBundleExecutable"] as? String
        ?? executable(fromArgument: CommandLine.arguments.first),
      version: bundle["CFBundleShortVersionString"] as? String,
      bundle: bundle["CFBundleIdentifier"] as? String, build: bundle["CFBundleVersion"] as? String,
      // Its version would tell servers which faults the kernel has.
      system: "Linux")
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
    let token = String(
      name.unicodeScalars.map { scalar in
        UInt8(exactly: scalar.value).map(ByteClass.token.contains) == true ? Character(scalar) : "-"
      })
    return token.isEmpty ? nil : token
  }
}
