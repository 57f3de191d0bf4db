// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetURLLoading

/// A new file that a form is written to. Other programs that are started meanwhile do not inherit it.
final class FormFile {
  private var descriptor: Int32

  /// Makes a file where there is nothing, not even a link to nowhere.
  init(creating path: String) throws(POSIXError) {
    descriptor = BluebonnetLibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .current }
  }

  deinit {
    if descriptor >= 0 { _ = BluebonnetLibc.close(descriptor) }
  }

  /// Appends all the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(POSIXError) {
    if let failure = OpenFile.write(bytes, to: descriptor).failure { throw failure }
  }

  /// Closes the file. Some file systems tell only now that there was no room.
  func close() throws(POSIXError) {
    defer { descriptor = -1 }
    guard BluebonnetLibc.close(descriptor) == 0 || errno == EINTR else { throw .current }
  }
}
