// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetTestNetwork

  extension URLSessionConfiguration {
    /// In the network within the process, for requests that wait behind those of all other tests.
    static var patientInMemory: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = 600
      return configuration.inMemory()
    }
  }
#endif
