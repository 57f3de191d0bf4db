import BluebonnetFoundation
import BluebonnetTransport

/// A streamed body as a stream, for code that knows nothing else: reading waits for the task that produces it.
package final class StreamedBodyInputStream: InputStream {
  package let body: StreamedBody
  private let source: ProducedBodySource
  private let signal = DispatchSemaphore(value: 0)
  private var status = Status.notOpen
  private var fault: (any Error)?

  package convenience init(_ body: StreamedBody) {
    self.init(ProducedBodySource(body))
  }

  init(_ source: ProducedBodySource) {
    body = source.body
    self.source = source
    super.init(data: Data())
  }

  deinit { source.detach() }

  package override func open() {
    guard status == .notOpen else { return }
    status = .open
    source.attach { [signal] in signal.signal() }
  }

  package override func close() {
    source.detach()
    status = .closed
  }

  package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    guard status == .open, len > 0 else { return status == .atEnd || status == .open ? 0 : -1 }
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: len)
    while true {
      var count = 0
      let reading = source.lend { bytes in
        count = min(bytes.count, len)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
      switch reading {
      case .lent: return count
      case .later: signal.wait()
      case .end:
        status = .atEnd
        return 0
      case .failed(let text, let cause):
        status = .error
        fault =
          cause ?? URLError.loading(.requestBodyStreamExhausted, url: nil, phase: .sending, reason: text)
        return -1
      }
    }
  }

  package override var hasBytesAvailable: Bool { status == .open }
  package override var streamStatus: Status { status }
  package override var streamError: (any Error)? { fault }
}

extension ProducedBodySource {
  /// The same body, as it goes over the wire, as a stream.
  var stream: StreamedBodyInputStream { StreamedBodyInputStream(ProducedBodySource(body, coding: coding)) }
}
