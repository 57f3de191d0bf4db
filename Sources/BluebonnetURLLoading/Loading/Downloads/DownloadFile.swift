import BluebonnetFoundation
import Glibc

/// The temporary file of a download. Disk I/O may block, so it happens on a queue of its own.
// Unchecked: everything is touched only on the queue, except `url`, which others read after `close` has called back.
final class DownloadFile: @unchecked Sendable {
  private let queue = DispatchQueue(label: "bluebonnet.download")
  /// What is downloaded, for errors.
  private let source: URL?
  private var file: TemporaryFiles.Created?
  private var failure: URLError?
  private var isClosed = false

  /// Where the file is, once there is one.
  var url: URL? { file?.url }

  init(of source: URL?) {
    self.source = source
  }

  deinit {
    guard let file, !isClosed else { return }
    let descriptor = file.descriptor
    queue.async { _ = Glibc.close(descriptor) }
  }

  /// Appends `data`, then says on the file's queue whether that went well. After a failure nothing more is written.
  func write(_ data: Data, then done: @escaping @Sendable (URLError?) -> Void) {
    queue.async { [self] in
      create()
      if let file, failure == nil { data.withUnsafeBytes { write($0, to: file) } }
      done(failure)
    }
  }

  /// Waits for what is being written, closes the file, and hands over the first failure.
  ///
  /// - Parameter isNeeded: Whether an empty body is to have a file, too.
  func close(isNeeded: Bool, then done: @escaping @Sendable (URLError?) -> Void) {
    queue.async { [self] in
      if isNeeded { create() }
      if let file, !isClosed { close(file) }
      done(failure)
    }
  }

  /// Removes the file, there and then: not in loop context.
  func remove() {
    guard let url else { return }
    _ = unlink(url.path)
  }

  /// Removes the file on the file's queue, then goes on there.
  func remove(then done: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      remove()
      done()
    }
  }

  private func create() {
    guard file == nil, failure == nil else { return }
    do {
      file = try TemporaryFiles.create("Download", in: FileManager.default.temporaryDirectory)
    } catch {
      failure = storing(.cannotCreateFile, error.code.rawValue)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to file: TemporaryFiles.Created) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(file.descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        failure = storing(.cannotWriteToFile, errno)
        return
      }
    }
  }

  private func close(_ file: TemporaryFiles.Created) {
    isClosed = true
    // Nobody else gets into the directory. Wherever it is moved from here, it is a file like any other.
    if failure == nil, let mode = file.directory.modeOfNewFiles { _ = fchmod(file.descriptor, mode) }
    // Some file systems, over a network or with quotas, tell only now that there was no room.
    if Glibc.close(file.descriptor) != 0, failure == nil, errno != EINTR {
      failure = storing(.cannotCloseFile, errno)
    }
  }

  private func storing(_ code: URLError.Code, _ errno: Int32) -> URLError {
    .loading(code, url: source, phase: .storing, reason: String(cString: strerror(errno)))
  }
}
