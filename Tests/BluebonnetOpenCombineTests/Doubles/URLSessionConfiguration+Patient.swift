#if OpenCombine
  import Bluebonnet
  import BluebonnetTestNetwork

  extension URLSessionConfiguration {
    /// The network within the process, for tests whose steps wait for their turn behind the tasks of all other tests, for
    /// longer than a request waits by default.
    static var patientInMemory: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.inMemory
      configuration.timeoutIntervalForRequest = 600
      return configuration
    }
  }
#endif
