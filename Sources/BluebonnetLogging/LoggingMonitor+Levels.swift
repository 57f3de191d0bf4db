// SPDX-License-Identifier: MIT
#if Logging
  import Logging

  extension LoggingMonitor {
    /// The level of each kind of line; `nil` for lines that are not written.
    public struct Levels: Sendable, Hashable {
      /// An attempt is about to be sent; `.debug` by default.
      public var request: Logger.Level?
      /// An attempt has ended with a response, whatever its status; `.info` by default.
      public var response: Logger.Level?
      /// The server has answered with a redirect; `.debug` by default.
      public var redirect: Logger.Level?
      /// A retrier has asked for another attempt; `.notice` by default.
      public var retry: Logger.Level?
      /// A request has failed, for good, or a serializer; `.warning` by default.
      public var failure: Logger.Level?
      /// A request was cancelled by the program; `.debug` by default.
      public var cancellation: Logger.Level?

      /// Makes levels; see the properties for the meaning of each.
      public init(
        request: Logger.Level? = .debug, response: Logger.Level? = .info, redirect: Logger.Level? = .debug,
        retry: Logger.Level? = .notice, failure: Logger.Level? = .warning,
        cancellation: Logger.Level? = .debug
      ) {
        self.request = request
        self.response = response
        self.redirect = redirect
        self.retry = retry
        self.failure = failure
        self.cancellation = cancellation
      }
    }
  }
#endif
