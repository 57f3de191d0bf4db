// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The closure that takes the resume data is called before the response handlers, on whatever queues both are.
@Suite struct ResumeDataOrderTests {
  private static let handlers: [DispatchQueue?] = [nil, .global(), DispatchQueue(label: "test.handler")]

  @Test(arguments: 0..<3, [false, true]) func closureComesFirst(handler: Int, onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 100000\r\n\r\n"
    origin.script(
      "/half", ScriptedReply([.bytes(Array(head.utf8) + [UInt8](repeating: 1, count: 5000)), .hang]))
    let session = Session(
      configuration: .patientInMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    for _ in 0..<Repetitions.count {
      let events = Locked<[String]>([])
      let request = session.download(origin.baseURL + "/half")
      let queue = Self.handlers[handler] ?? session.rootQueue
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isAsked = Locked(false)
        request.downloadProgress(queue: queue) { _ in
          guard !isAsked.withLock({ $0.exchange(true) }) else { return }
          request.cancel(byProducingResumeData: { data in
            // Slow, so that a handler that does not wait overtakes it.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
            events.withLock { $0.append(data == nil ? "no data" : "data") }
          })
        }
        request.response(queue: queue) { response in
          events.withLock {
            $0.append(response.error?.isExplicitlyCancelledError == true ? "end" : "other end")
          }
          continuation.resume()
        }
      }
      #expect(events.withLock { $0 } == ["data", "end"])
    }
  }
}

extension Bool {
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
