// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetTestNetwork

  extension URLSessionConfiguration {
    /// For tests with steps that wait for their turn behind the tasks of all other tests, for longer than a request waits by
    /// default.
    static var patient: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = 600
      return configuration
    }

    /// As `patient`, in the network within the process.
    static var patientInMemory: URLSessionConfiguration { patient.inMemory() }
  }
#endif
