#if OpenCombine
  import Bluebonnet

  extension URLSessionConfiguration {
    /// For tests whose steps wait for their turn behind the tasks of all other tests, for longer than a request waits by
    /// default.
    static var patient: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = 600
      return configuration
    }
  }
#endif
