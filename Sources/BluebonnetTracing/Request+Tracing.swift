// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import Tracing

  extension Request {
    /// Makes the spans of this request children of the caller's.
    ///
    /// Call it where the request is made, before the first response handler. A request of a session that does not have `tracing`
    /// among its monitors gets it as a monitor and as an interceptor of its own.
    ///
    /// - Parameters:
    ///   - tracing: Starts the spans.
    ///   - context: The parent's context; the caller's current one by default.
    /// - Returns: The request.
    @discardableResult
    public func traced(by tracing: TracingInterceptor, in context: ServiceContext? = .current) -> Self {
      let monitors = (eventMonitor as? CompositeEventMonitor)?.monitors ?? []
      let isHeard = monitors.contains { $0 as? TracingInterceptor === tracing }
      if !isHeard { eventMonitor(tracing) }
      tracing.traces.withLock { $0.adopt(self, in: context) }
      return isHeard ? self : interceptor(tracing)
    }
  }
#endif
