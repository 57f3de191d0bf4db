import BluebonnetEventLoop
import BluebonnetTLS

/// A connection's socket and, perhaps, its TLS engine: plaintext in and out. Used in loop context only.
final class Wire {
  enum Reception {
    /// Something was received; over TLS not necessarily plaintext.
    case some
    /// Nothing before the next readiness.
    case nothing
    /// Nothing ever again.
    case end
  }

  private var descriptor: FileDescriptor?
  /// The descriptor's number; invalid after `close`.
  let number: Int32
  private let loop: EventLoop
  private let engine: TLSEngine?
  /// Whether plaintext can be written: always, but for TLS before its handshake is done.
  private(set) var isShaken: Bool
  /// Plaintext connections only; TLS keeps its own output.
  private var output: [UInt8] = []
  private var sent = 0

  init(_ descriptor: consuming FileDescriptor, loop: EventLoop, engine: TLSEngine?) {
    number = descriptor.rawValue
    self.descriptor = consume descriptor
    self.loop = loop
    self.engine = engine
    isShaken = engine == nil
  }

  /// Whether a TLS session was resumed.
  var isResumed: Bool { engine?.wasResumed ?? false }

  /// How many bytes wait for the socket to take them.
  var backlog: Int { engine?.output.count ?? output.count - sent }

  /// Receives once and adds the plaintext to `input`.
  func receive(into input: inout InputBuffer) -> Reception {
    loop.withReceiveBuffer { buffer -> Reception in
      switch Syscall.receive(number, buffer) {
      case .bytes(let count):
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        guard let engine else {
          input.append(bytes)
          return .some
        }
        engine.feed(bytes)
        return decrypt(with: engine, into: &input)
      case .wouldBlock: return .nothing
      case .endOfStream, .failed: return .end
      }
    }
  }

  private func decrypt(with engine: TLSEngine, into input: inout InputBuffer) -> Reception {
    do throws(TLSError) {
      if !isShaken {
        guard try engine.handshake() == .handshakeComplete else { return .some }
        isShaken = true
      }
      return try withUnsafeTemporaryPage { page throws(TLSError) in
        while true {
          switch try engine.read(into: page) {
          case .bytes(let count): input.append(UnsafeRawBufferPointer(rebasing: page[..<count]))
          case .closed: return .end
          case .needsInput, .handshakeComplete: return .some
          }
        }
      }
    } catch {
      // The engine has put its alert into the output.
      return .end
    }
  }

  /// Adds plaintext to what is to be sent.
  func write(_ bytes: ArraySlice<UInt8>) {
    guard let engine else { return output.append(contentsOf: bytes) }
    // Fails only after the connection has failed, which reading reports.
    bytes.withUnsafeBytes { try? engine.write($0) }
  }

  /// Sends what the socket takes. False if it will never take anything again.
  func flush() -> Bool {
    while backlog > 0 {
      let result =
        if let engine {
          Syscall.send(number, engine.output)
        } else {
          output.withUnsafeBytes {
            Syscall.send(number, UnsafeRawBufferPointer(rebasing: $0[sent...]))
          }
        }
      switch result {
      case .bytes(let count): drop(count)
      case .wouldBlock: return true
      case .endOfStream, .failed: return false
      }
    }
    return true
  }

  private func drop(_ count: Int) {
    if let engine { return engine.outputSent(count) }
    sent += count
    if sent == output.count {
      output.removeAll(keepingCapacity: true)
      sent = 0
    }
  }

  /// Adds a close_notify to what is to be sent.
  func notifyOfClose() { engine?.shutdown() }

  /// Ends the sending direction.
  func endSending() { try? Syscall.shutdown(number, .sending) }

  /// Makes the coming close a reset.
  func resetOnClose() { try? Syscall.setResetOnClose(number) }

  func close() { descriptor = nil }

  private func withUnsafeTemporaryPage<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws(TLSError) -> R
  ) throws(TLSError) -> R {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
    defer { page.deallocate() }
    return try body(page)
  }
}
