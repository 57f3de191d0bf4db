import Bluebonnet
import Glibc

/// Standard input as a body; it can be read once.
final class StandardInputStream: InputStream {
  private var isAtEnd = false

  init() { super.init(data: Data()) }

  override func open() {}
  override func close() {}
  override var hasBytesAvailable: Bool { !isAtEnd }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    while true {
      let count = Glibc.read(STDIN_FILENO, buffer, len)
      if count == 0 { isAtEnd = true }
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
