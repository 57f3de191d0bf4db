// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTransport
import Synchronization

/// A streamed body as a stream, for code that knows nothing else: reading waits for the task that produces it.
///
/// Any thread may close it, and so end a wait of the reader.
package final class StreamedBodyInputStream: InputStream {
  package let body: StreamedBody
  private let source: ProducedBodySource
  private let signal = DispatchSemaphore(value: 0)
  private let isClosed = Atomic(false)
  // Of the thread that reads.
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

  /// The coding of the bytes read here; nil for none.
  var coding: BodyCoding? { source.coding }

  package override func open() {
    guard status == .notOpen, !isClosed.load(ordering: .acquiring) else { return }
    status = .open
    source.attach { [signal] in signal.signal() }
  }

  package override func close() {
    isClosed.store(true, ordering: .releasing)
    source.detach()
    signal.signal()
  }

  package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    guard streamStatus == .open, len > 0 else {
      return streamStatus == .atEnd || streamStatus == .open ? 0 : -1
    }
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: len)
    while true {
      if isClosed.load(ordering: .acquiring) {
        // A body asked for while it was being closed is not wanted either.
        source.detach()
        return -1
      }
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

  package override var hasBytesAvailable: Bool { streamStatus == .open }
  package override var streamStatus: Status { isClosed.load(ordering: .acquiring) ? .closed : status }
  package override var streamError: (any Error)? { fault }
}

extension ProducedBodySource {
  /// The same body, as it goes over the wire, as a stream.
  var stream: StreamedBodyInputStream { StreamedBodyInputStream(ProducedBodySource(body, coding: coding)) }
}

extension StreamedBody {
  /// The body as a stream, for `URLRequest.httpBodyStream`. Each stream produces it anew, as far as that can be done.
  public var inputStream: InputStream { StreamedBodyInputStream(self) }
}
