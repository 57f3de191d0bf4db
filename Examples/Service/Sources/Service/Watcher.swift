// SPDX-License-Identifier: MIT
import Bluebonnet
import FoundationEssentials

/// The state of an address, as one line of JSON.
struct Report: Encodable, Sendable {
  let url: URL
  /// Of the response, if there was one.
  let status: Int?
  let milliseconds: Int
  /// Until the server's certificate ends; absent without TLS.
  let certificateDays: Int?
  /// The reason why there is no response, or why its status is none of 200 to 299.
  let error: String?
}

/// Looks at addresses.
struct Watcher: Sendable {
  private let settings: Settings
  let session: Session

  init(_ settings: Settings) {
    self.settings = settings
    let configuration = URLSessionConfiguration.af.ephemeral
    configuration.timeoutIntervalForRequest = settings.timeout
    configuration.timeoutIntervalForResource = settings.timeout
    // An address that sends without end must not take the memory.
    configuration.responseBodyLimitInMemory = 1 << 20
    // A redirect is the state of the address: it is not followed.
    session = Session(configuration: configuration, redirectHandler: Redirector(behavior: .doNotFollow))
  }

  /// Looks at all addresses at the same time, and prints a report for each as it comes.
  ///
  /// - Returns: Whether all are well.
  func round() async -> Bool {
    await withTaskGroup { group in
      for target in settings.targets {
        group.addTask { await report(on: target) }
      }
      var isWell = true
      for await report in group {
        isWell = isWell && report.error == nil
        Output.write(report)
      }
      return isWell
    }
  }

  /// Rounds until the task is cancelled.
  func rounds() async {
    while !Task.isCancelled {
      _ = await round()
      try? await Task.sleep(for: settings.interval)
    }
  }

  private func report(on target: URL) async -> Report {
    let start = ContinuousClock.now
    // A shutdown lets it finish: its end is the deadline's business, not this task's.
    let response = await session.request(target).validate()
      .serializingData(automaticallyCancelling: false, emptyResponseCodes: Set(200...299)).response
    let certificate = response.metrics?.transactionMetrics.last?.serverCertificates.first
    return Report(
      url: target, status: response.response?.statusCode,
      milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)),
      certificateDays: certificate.map { Int($0.notAfter.timeIntervalSinceNow / 86_400) },
      error: response.error.map { "\($0)" })
  }
}
