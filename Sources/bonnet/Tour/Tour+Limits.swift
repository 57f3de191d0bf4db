// SPDX-License-Identifier: MIT
import Bluebonnet

extension Tour {
  /// Requests that end before their response does.
  var limits: [TourStop] {
    [
      TourStop(title: "a time-out") {
        // Without its limit it would succeed, late: no clock need be read here, however slow the machine is.
        let request = AF.request(plain.baseURL + "/delay/10") { $0.timeoutInterval = 0.25 }
        let error = await request.serializingData().response.error?.underlyingError as? URLError
        try promise(error?.code == .timedOut, "it ended with \(error.map { "\($0)" } ?? "something else")")
        return "after a quarter of a second"
      },
      TourStop(title: "a cancellation") {
        let seen = plain.requests.count
        let request = AF.request(plain.baseURL + "/delay/10")
        let response = request.serializingData()
        try await until("the request arrives") { plain.requests.count > seen }
        request.cancel()
        let error = await response.response.error
        try promise(
          error?.isExplicitlyCancelledError == true, "it ended with \(error.map { "\($0)" } ?? "success")")
        try await until("its connection is closed") { plain.openConnections <= 1 }
        return "at once, its connection closed"
      },
    ]
  }

  /// Looks every few milliseconds, for half a minute at most: the machine may have other things to do.
  private func until(_ what: String, _ isSo: () -> Bool) async throws {
    for _ in 0..<6_000 {
      if isSo() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BrokenPromise("it never came to this: \(what)")
  }
}
