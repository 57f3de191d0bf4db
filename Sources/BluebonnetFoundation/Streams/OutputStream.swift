// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetLibc
  import FoundationEssentials

  /// Bytes to be written, to memory or to a file.
  open class OutputStream: Stream {
    private enum Sink {
      case memory(Data, Status)
      case file(FileEnd, append: Bool)
    }

    private var sink: Sink

    /// Makes a stream that keeps the bytes written, to be asked for with `property(forKey:
    /// .dataWrittenToMemoryStreamKey)`.
    public required init(toMemory: ()) {
      sink = .memory(Data(), .notOpen)
      super.init()
    }

    /// Writes to a file, at its end or in place of its contents.
    public init?(url: URL, append shouldAppend: Bool) {
      guard url.isFileURL else { return nil }
      sink = .file(FileEnd(path: url.path(percentEncoded: false)), append: shouldAppend)
      super.init()
    }

    /// Writes to a file, at its end or in place of its contents.
    public convenience init?(toFileAtPath path: String, append shouldAppend: Bool) {
      self.init(url: URL(fileURLWithPath: path), append: shouldAppend)
    }

    deinit { close() }

    /// Makes a stream that keeps the bytes written, to be asked for with `property(forKey:
    /// .dataWrittenToMemoryStreamKey)`.
    open class func toMemory() -> Self { self.init(toMemory: ()) }

    /// Opens the file, if there is one. What fails is found in ``streamError``.
    open override func open() {
      switch sink {
      case .memory(let data, .notOpen): sink = .memory(data, .open)
      case .memory: break
      case .file(var end, let append):
        end.open(O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC))
        sink = .file(end, append: append)
      }
    }

    /// Gives back what the stream holds.
    open override func close() {
      switch sink {
      case .memory(let data, _): sink = .memory(data, .closed)
      case .file(var end, let append):
        end.close()
        sink = .file(end, append: append)
      }
    }

    /// Writes up to `len` bytes: how many, or -1 if it fails.
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
      switch sink {
      case .memory(var data, .open):
        sink = .memory(Data(), .open)
        data.append(buffer, count: len)
        sink = .memory(data, .open)
        return len
      case .memory: return -1
      case .file(var end, let append):
        let count = end.write(buffer, len)
        sink = .file(end, append: append)
        return count
      }
    }

    /// Whether a write may take something now.
    open var hasSpaceAvailable: Bool { streamStatus == .open }

    /// The state of the stream.
    open override var streamStatus: Status {
      switch sink {
      case .memory(_, let status): status
      case .file(let end, _): end.status
      }
    }

    /// Why the stream failed; `nil` if it has not.
    open override var streamError: (any Error)? {
      if case .file(let end, _) = sink { end.error } else { nil }
    }

    /// The bytes written to memory.
    open override func property(forKey key: PropertyKey) -> Any? {
      if key == .dataWrittenToMemoryStreamKey, case .memory(let data, _) = sink { data } else { nil }
    }
  }
#endif
