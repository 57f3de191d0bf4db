// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestNetwork

extension URLSessionConfiguration {
  /// For tests with a body that a Swift task produces: it waits for its turn behind the tasks of all other tests, for longer
  /// than a request waits by default. The answer to `Expect` may be late as well.
  static var patient: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    configuration.timeoutIntervalForContinue = 600
    return configuration
  }

  /// As `patient`, in the network within the process.
  static var patientInMemory: URLSessionConfiguration { patient.inMemory() }
}
