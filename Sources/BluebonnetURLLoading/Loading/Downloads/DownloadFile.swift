import BluebonnetFoundation
import Glibc

/// The temporary file of a download. Disk I/O may block, so it happens on a queue of its own.
// Unchecked: the descriptor and the failure are touched only on the queue.
final class DownloadFile: @unchecked Sendable {
  let url: URL
  private let queue = DispatchQueue(label: "bluebonnet.download")
  private var descriptor: Int32 = -1
  private var failure: Int32?
  /// The offset at which writing begins: not 0 for a resumed download.
  private let offset: Int64

  /// A new empty file in the temporary directory.
  init() {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("BluebonnetDownload_\(UUID().uuidString).tmp")
    offset = 0
  }

  /// Goes on with the file of an earlier download.
  init(continuing url: URL, at offset: Int64) {
    self.url = url
    self.offset = offset
  }

  deinit {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Appends `data`, then says so on the file's queue.
  func write(_ data: Data, then done: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      open()
      data.withUnsafeBytes { writeAll($0) }
      done()
    }
  }

  /// Waits for what is being written, closes the file, and hands over the first failure.
  func close(then done: @escaping @Sendable (URLError?) -> Void) {
    queue.async { [self] in
      open()
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
      descriptor = -1
      done(failure.map { URLError.writing($0, to: url) })
    }
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  private func open() {
    guard descriptor < 0, failure == nil else { return }
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (offset == 0 ? O_TRUNC : 0)
    // Only its owner may read what was downloaded until it is moved to its place.
    descriptor = Glibc.open(url.path, flags, 0o600)
    if descriptor < 0 || offset > 0 && lseek(descriptor, off_t(offset), SEEK_SET) < 0 { failure = errno }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty, failure == nil {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        failure = errno
      }
    }
  }
}

extension URLError {
  fileprivate static func writing(_ errno: Int32, to url: URL) -> URLError {
    .loading(
      .cannotWriteToFile, url: nil, phase: .storing,
      reason: "\(url.path): \(String(cString: strerror(errno)))")
  }
}
