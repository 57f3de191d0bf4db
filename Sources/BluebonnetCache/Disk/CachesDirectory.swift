// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// The directory in which programs keep data that can be fetched again (XDG Base Directory Specification).
package enum CachesDirectory {
  /// The directory of a cache by its given path.
  ///
  /// - Parameters:
  ///   - path: An absolute path, taken as it is; a relative one, within this program's own directory for caches; or
  ///     none, which stands for that directory itself.
  ///   - environment: Looks a variable up.
  package static func path(for path: String?, environment: (String) -> String? = { variable($0) }) -> String {
    if let path, path.hasPrefix("/") { return path }
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "bluebonnet"
    let own = caches(environment) + "/" + program
    guard let path, !path.isEmpty else { return own }
    return own + "/" + path
  }

  private static func caches(_ environment: (String) -> String?) -> String {
    // The specification wants relative ones to be ignored.
    if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") { return caches }
    return (environment("HOME").flatMap { $0.isEmpty ? nil : $0 } ?? home) + "/.cache"
  }

  /// Of this process's user. Nothing can be made within a device, so a cache without a home says that it has none.
  private static var home: String {
    guard let entry = getpwuid(geteuid()), let directory = entry.pointee.pw_dir else { return "/dev/null" }
    return String(cString: directory)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
