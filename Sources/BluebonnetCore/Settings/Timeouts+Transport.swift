// SPDX-License-Identifier: MIT
import BluebonnetTransport

extension BluebonnetTransport.Timeouts {
  /// - Throws: For a value that is no length of time, by the member's name.
  init(_ timeouts: HTTPClient.Timeouts) throws(HTTPClientError) {
    self.init(
      waiting: try timeouts.waiting?.nanoseconds("waiting"),
      connect: try timeouts.connecting?.nanoseconds("connecting"),
      handshake: try timeouts.securing?.nanoseconds("securing"),
      sending: try timeouts.sending?.nanoseconds("sending"),
      firstByte: try timeouts.response?.nanoseconds("response"),
      betweenBytes: try timeouts.silence?.nanoseconds("silence"))
  }
}

extension Duration {
  /// - Parameter member: Of `HTTPClient.Timeouts`, which the error names.
  func nanoseconds(_ member: String) throws(HTTPClientError) -> UInt64 {
    guard self > .zero, self <= .seconds(1_000_000_000) else {
      throw .invalidConfiguration("timeouts.\(member)", "it is more than zero and at most a billion seconds")
    }
    let (seconds, attoseconds) = components
    // Less than a nanosecond is one.
    return max(1, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
  }
}
