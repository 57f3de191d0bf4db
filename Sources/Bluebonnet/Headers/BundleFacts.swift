import BluebonnetFoundation

/// The main bundle's facts about the program; on Linux usually none.
struct BundleFacts {
  var executable: String?
  var version: String?
  var identifier: String?
  var build: String?

  static var main: BundleFacts {
    let info = Bundle.main.infoDictionary ?? [:]
    return BundleFacts(
      executable: info["CFBundleExecutable"] as? String,
      version: info["CFBundleShortVersionString"] as? String,
      identifier: info["CFBundleIdentifier"] as? String,
      build: info["CFBundleVersion"] as? String)
  }
}
