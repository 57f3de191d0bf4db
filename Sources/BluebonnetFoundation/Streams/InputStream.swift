// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetLibc
  import FoundationEssentials

  /// Bytes to be read, from memory or from a file.
  open class InputStream: Stream {
    private enum Source {
      case data(Data, position: Int, Status)
      case file(FileEnd)
    }

    private var source: Source

    /// Makes a stream that reads bytes in memory.
    public init(data: Data) {
      source = .data(data, position: 0, .notOpen)
      super.init()
    }

    /// Makes a stream that reads a file; `nil` if the URL is not one of a file.
    public init?(url: URL) {
      guard url.isFileURL else { return nil }
      source = .file(FileEnd(path: url.path(percentEncoded: false)))
      super.init()
    }

    /// Makes a stream that reads a file, which need not exist before it is opened.
    public convenience init?(fileAtPath path: String) { self.init(url: URL(fileURLWithPath: path)) }

    deinit { close() }

    /// Opens the file, if there is one. What fails is found in ``streamError``.
    open override func open() {
      switch source {
      case .data(let data, let position, .notOpen): source = .data(data, position: position, .open)
      case .data: break
      case .file(var end):
        end.open(O_RDONLY)
        source = .file(end)
      }
    }

    /// Gives back what the stream holds.
    open override func close() {
      switch source {
      case .data(let data, let position, _): source = .data(data, position: position, .closed)
      case .file(var end):
        end.close()
        source = .file(end)
      }
    }

    /// Reads up to `len` bytes: how many there were, 0 at the end, -1 if it fails.
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
      switch source {
      case .data(let data, let position, let status):
        guard status == .open else { return status == .atEnd ? 0 : -1 }
        let count = min(len, data.count - position)
        let start = data.startIndex + position
        data.copyBytes(to: buffer, from: start..<(start + count))
        source = .data(data, position: position + count, position + count == data.count ? .atEnd : .open)
        return count
      case .file(var end):
        let count = end.read(buffer, len)
        if count == 0 { end.reachEnd() }
        source = .file(end)
        return count
      }
    }

    /// Whether a read may find something.
    open var hasBytesAvailable: Bool { streamStatus == .open }

    /// The state of the stream.
    open override var streamStatus: Status {
      switch source {
      case .data(_, _, let status): status
      case .file(let end): end.status
      }
    }

    /// Why the stream failed; `nil` if it has not.
    open override var streamError: (any Error)? {
      if case .file(let end) = source { end.error } else { nil }
    }
  }
#endif
