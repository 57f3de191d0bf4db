// SPDX-License-Identifier: MIT
#if !Foundation
  import FoundationEssentials

  // Unchecked: constants only.
  /// The files around an executable. On Linux that is its directory; there is no property list.
  public final class Bundle: @unchecked Sendable {
    /// The directory of the executable.
    public static let main = Bundle(directory: (CommandLine.arguments.first ?? "").directory)

    /// The path of the bundle's directory.
    public let bundlePath: String

    init(directory: String) { bundlePath = directory }

    /// The bundle of a directory.
    public init?(path: String) {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      bundlePath = path
    }

    /// Always `nil`: a directory names no identifier.
    public var bundleIdentifier: String? { nil }
    /// Always `nil`: a directory has no property list.
    public var infoDictionary: [String: Any]? { nil }

    /// The files with an extension.
    public func paths(forResourcesOfType ext: String?, inDirectory subpath: String?) -> [String] {
      let directory = subpath.map { bundlePath + "/" + $0 } ?? bundlePath
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return names.filter { ext == nil || $0.hasSuffix("." + (ext ?? "")) }.sorted().map {
        directory + "/" + $0
      }
    }

    /// A file, if it is there.
    public func url(forResource name: String?, withExtension ext: String?) -> URL? {
      guard let name else { return nil }
      let path = bundlePath + "/" + name + (ext.map { "." + $0 } ?? "")
      return FileManager.default.fileExists(atPath: path) ? URL(fileURLWithPath: path) : nil
    }
  }

  extension String {
    fileprivate var directory: String {
      guard let slash = lastIndex(of: "/") else { return "." }
      return slash == startIndex ? "/" : String(self[..<slash])
    }
  }
#endif
