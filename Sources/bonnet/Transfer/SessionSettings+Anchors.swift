import Bluebonnet
import Glibc

extension SessionSettings {
  /// Instead of the system's; of a file and a directory, either is enough.
  ///
  /// As with curl, there may be several directories, separated by colons as in PATH. One that is empty, or is not there, has no
  /// authorities in it, and what cannot be read does not matter where any certificate will do.
  func anchors() throws(CommandError) -> URLSessionConfiguration.TrustAnchors? {
    if authorities == nil, authorityDirectory == nil { return nil }
    var anchors: [URLSessionConfiguration.TrustAnchors] = []
    if let authorities {
      if access(authorities, R_OK) == 0 {
        anchors.append(.file(path: try RegularFile.path(of: authorities)))
      } else if !acceptsAnyCertificate {
        throw CommandError(.badAuthorities, "cannot read the authorities in \(authorities)")
      }
    }
    for directory in authorityDirectory?.split(separator: ":").map(String.init) ?? []
    where (try? FileManager.default.contentsOfDirectory(atPath: directory))?.isEmpty == false {
      anchors.append(.directory(path: directory))
    }
    if anchors.isEmpty { return .certificates([]) }
    return anchors.count == 1 ? anchors[0] : .several(anchors)
  }
}
