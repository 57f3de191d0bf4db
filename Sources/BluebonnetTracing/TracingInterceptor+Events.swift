// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetFoundation
  import Tracing

  extension TracingInterceptor {
    /// Describes the request as later adapters have left it.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
      traces.withLock { $0.span(of: request) }?.describe(urlRequest)
    }

    /// Ends the span of an attempt that is over.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      end(request, status: (task.response as? HTTPURLResponse)?.statusCode, error: error)
    }

    /// Ends the span of an attempt that another adapter has ended.
    public func request(
      _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
    ) {
      end(request, status: nil, error: error)
    }

    /// Ends the span of an attempt without a body to send.
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
      end(request, status: nil, error: error)
    }

    /// Lets another span begin.
    public func requestIsRetrying(_ request: Request) {
      end(request, status: nil, error: nil)
      traces.withLock { $0.setOver(false, request) }
    }

    /// Ends the span of a request that has got no task.
    public func requestDidFinish(_ request: Request) {
      traces.withLock { $0.setOver(true, request) }
      end(request, status: nil, error: request.error)
    }
  }
#endif
