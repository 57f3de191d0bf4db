// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetLibc
  import FoundationEssentials

  /// One end of a stream that is a file: its descriptor, what became of it, and the calls.
  struct FileEnd {
    let path: String
    private(set) var descriptor: Int32 = -1
    private(set) var status = Stream.Status.notOpen
    private(set) var error: (any Error)?

    init(path: String) { self.path = path }

    mutating func open(_ flags: Int32) {
      guard status == .notOpen else { return }
      descriptor = BluebonnetLibc.open(path, flags | O_CLOEXEC, 0o666)
      if descriptor >= 0 { status = .open } else { fail() }
    }

    mutating func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
      transfer { BluebonnetLibc.read($0, buffer, count) }
    }

    mutating func write(_ buffer: UnsafePointer<UInt8>, _ count: Int) -> Int {
      transfer { BluebonnetLibc.write($0, buffer, count) }
    }

    mutating func reachEnd() { if status == .open { status = .atEnd } }

    mutating func close() {
      if descriptor >= 0 { _ = BluebonnetLibc.close(descriptor) }
      descriptor = -1
      status = .closed
    }

    private mutating func transfer(_ call: (Int32) -> Int) -> Int {
      guard status == .open else { return status == .atEnd ? 0 : -1 }
      while true {
        let count = call(descriptor)
        if count >= 0 { return count }
        if errno == EINTR { continue }
        fail()
        return -1
      }
    }

    private mutating func fail() {
      error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      status = .error
    }
  }
#endif
