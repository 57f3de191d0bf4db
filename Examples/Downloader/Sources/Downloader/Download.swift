// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

/// One file to be fetched: what a stopped download has left lies beside it, in a file `NAME.resume`.
struct Download: Sendable {
  let url: URL
  let file: URL
  /// The digest that the file must have; nil for any.
  let sha256: String?

  private var bookmark: URL { file.appendingPathExtension("resume") }

  /// Whether an earlier run has fetched it: a file gets its name when it is complete.
  var isThere: Bool {
    FileManager.default.fileExists(atPath: file.path)
      && !FileManager.default.fileExists(atPath: bookmark.path)
  }

  /// - Parameter address: A URL; `#sha256=DIGEST` behind it is for this program, and not sent.
  init?(_ address: String, into folder: URL) {
    let parts = address.split(separator: "#sha256=", maxSplits: 1)
    guard let first = parts.first, let url = URL(string: String(first)), url.host() != nil,
      !url.lastPathComponent.isEmpty, url.lastPathComponent != "/"
    else { return nil }
    self.url = url
    file = folder.appendingPathComponent(url.lastPathComponent)
    sha256 = parts.count > 1 ? String(parts[1]) : nil
  }

  /// A request for all of it, or for the rest. The address is today's: the one in the resume data may have expired.
  ///
  /// - Throws: `InvalidChecksum`.
  func request(_ session: Session) throws -> DownloadRequest {
    let place: DownloadRequest.Destination = { [file] temporary, response in
      // The body of a refusal does not get the name: it stays where it is, and is removed when the request fails.
      guard (200..<300).contains(response.statusCode) else { return (temporary, []) }
      return (file, [.removePreviousFile, .createIntermediateDirectories])
    }
    let request =
      if let left = try? Data(contentsOf: bookmark) {
        session.download(resumingWith: left, from: url, to: place)
      } else {
        session.download(url, to: place)
      }
    if let sha256 { try request.verifying(sha256: sha256) }
    return request.validate()
  }

  /// Waits for the end of the request, and keeps what it takes to go on.
  ///
  /// - Returns: The place where it went on; nil if all of it came at once.
  func finish(_ request: DownloadRequest) async throws -> Int64? {
    // The request decides when it ends: cancelling this task would drop the resume data.
    let response = await request.serializingDownloadedFileURL(automaticallyCancelling: false).response
    switch response.result {
    case .success:
      try? FileManager.default.removeItem(at: bookmark)
      // The last attempt's: `bytes 1000-1999/2000`.
      let part = response.response?.value(forHTTPHeaderField: "Content-Range")
      return part.flatMap { Int64($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
    case .failure(let error):
      let cause = error.underlyingError
      if let left = response.resumeData {
        try keep(left)
      } else if cause is ChecksumMismatch || (cause as? URLError)?.refusedSetting != nil {
        // Another file than the wanted one, or unreadable resume data: the next time starts over.
        try? FileManager.default.removeItem(at: bookmark)
      }
      throw error
    }
  }

  /// Resume data hold the request's fields, so that they are for this user only.
  private func keep(_ left: Data) throws {
    let fresh = bookmark.appendingPathExtension("new")
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard
      FileManager.default.createFile(
        atPath: fresh.path, contents: left, attributes: [.posixPermissions: 0o600]),
      rename(fresh.path, bookmark.path) == 0
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: bookmark.path]) }
  }
}
