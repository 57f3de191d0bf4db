// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: open, with properties of Sendable types that do not change once the initializer has returned.
/// Makes requests and keeps what they have in common: configuration, interception, trust, monitoring.
///
/// By default all of a session's own work happens on the event loop that also owns its connections, which
/// saves every change of thread but two. A session that is given a `rootQueue`, or a delegate of a subclass
/// of `SessionDelegate`, works on queues as documented for each parameter.
///
/// Hold on to a session while its requests run: they fail with `AFError.sessionDeinitialized` without it.
open class Session: @unchecked Sendable {
  /// Changes a `URLRequest` before its parameters are encoded; what it throws fails the request. Called for each attempt, on
  /// ``requestQueue``.
  public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

  /// The time at which a request's `URLRequest` and task are made.
  public enum RequestSetup: Sendable {
    /// Once the request is resumed for the first time.
    case lazy
    /// Once the request is made, before it is resumed.
    case eager
  }

  /// The session behind `AF`, with all defaults. Never released.
  public static let `default` = Session()

  /// The `URLSession` with the tasks that do the work.
  public let session: URLSession
  /// The delegate of ``session``.
  public let delegate: SessionDelegate
  /// The queue of the session's own work, when that is not done on the event loop.
  public var rootQueue: DispatchQueue { context.rootQueue }
  /// Whether a request starts with its first response handler; true by default. If false, `resume()` starts it.
  public let startRequestsImmediately: Bool
  /// The time at which a request's `URLRequest` and task are made; ``RequestSetup/lazy`` by default.
  public let requestSetup: RequestSetup
  /// The queue for code of yours that makes and changes `URLRequest`s, decides about retries, redirects and the cache,
  /// and names destinations. A serial queue of the session's own by default.
  public var requestQueue: DispatchQueue { context.requestQueue }
  /// The queue for serializers, preprocessors, decoders and validators. A serial queue of the session's own by
  /// default.
  public var serializationQueue: DispatchQueue { context.serializationQueue }
  /// Adapts and retries the requests of this session.
  public let interceptor: (any RequestInterceptor)?
  /// Comparing `interceptor` with nil would copy it.
  let hasInterceptor: Bool
  /// Knows which ``ServerTrustEvaluating`` evaluates which server; `nil`, the default, for the configuration's anchors
  /// alone.
  public var serverTrustManager: ServerTrustManager? { context.serverTrustManager }
  /// Decides what redirects lead to, for requests that have no handler of their own; `nil`, the default, follows them.
  public var redirectHandler: (any RedirectHandler)? { context.redirectHandler }
  /// Decides about storing responses, for requests without a handler of their own; `nil`, the default, stores
  /// all that HTTP allows.
  public var cachedResponseHandler: (any CachedResponseHandler)? { context.cachedResponseHandler }
  /// All monitors of this session as one.
  public var eventMonitor: CompositeEventMonitor { context.monitor }
  /// A session's monitors unless it is told otherwise.
  @available(*, deprecated, message: "Write [AlamofireNotifications()] instead.")
  public var defaultEventMonitors: [any EventMonitor] { [AlamofireNotifications()] }

  let context: SessionContext
  /// Nil without a base URL. An object, so that requests of other sessions ask for no more than its address.
  private(set) var baseAddress: BaseAddress?

  /// Makes a session around a `URLSession` of the caller's. Its delegate must be `delegate`, and its
  /// delegate queue must run on `rootQueue`.
  ///
  /// - Parameters:
  ///   - session:                  Sends. Must not be a background session.
  ///   - delegate:                 Hears from `session`.
  ///   - rootQueue:                Serial; all of the session's own work happens there.
  ///   - startRequestsImmediately: Whether the first response handler starts a request.
  ///   - requestSetup:             When requests are set up.
  ///   - requestQueue:             Where requests are made; targets `rootQueue` by default.
  ///   - serializationQueue:       Where responses are serialized; targets `rootQueue` by default.
  ///   - interceptor:              Adapts and retries.
  ///   - serverTrustManager:       Names the evaluators of servers' trust.
  ///   - redirectHandler:          Decides about redirects.
  ///   - cachedResponseHandler:    Decides about storing responses.
  ///   - eventMonitors:            Told about everything.
  public init(
    session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue,
    startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy,
    requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil,
    interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
    redirectHandler: (any RedirectHandler)? = nil,
    cachedResponseHandler: (any CachedResponseHandler)? = nil,
    eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
  ) {
    precondition(
      session.configuration.identifier == nil, "A Session cannot work with a background URLSession.")
    // Only the other initialiser makes a URLSession with a delegate on the loop.
    let isOnLoop = session.executor.isLoop
    precondition(
      isOnLoop || session.delegateQueue.underlyingQueue?.isSame(as: rootQueue) == true,
      "The URLSession's delegate queue must have the rootQueue as its underlying queue.")
    context = SessionContext(
      executor: isOnLoop ? session.executor : .queue(rootQueue), loop: session.settings.eventLoop.loop,
      rootQueue: rootQueue,
      requestQueue: requestQueue,
      serializationQueue: serializationQueue, monitors: eventMonitors,
      serverTrustManager: serverTrustManager, redirectHandler: redirectHandler,
      cachedResponseHandler: cachedResponseHandler, fileManager: delegate.fileManager)
    // Before the first task: a call without one needs no context.
    delegate.serve(context)
    self.session = session
    self.delegate = delegate
    self.startRequestsImmediately = startRequestsImmediately
    self.requestSetup = requestSetup
    self.interceptor = interceptor
    hasInterceptor = interceptor != nil
  }

  /// Makes a session and the `URLSession` it needs.
  ///
  /// - Parameters:
  ///   - configuration:            Of the `URLSession`. Must not be a background configuration.
  ///   - delegate:                 Hears from the `URLSession`.
  ///   - rootQueue:                If given, all of the session's own work happens on a serial queue that
  ///                               targets it, instead of on the event loop.
  ///   - startRequestsImmediately: Whether the first response handler starts a request.
  ///   - requestSetup:             When requests are set up.
  ///   - requestQueue:             Where requests are made when code of the caller's takes part.
  ///   - serializationQueue:       Where responses are serialized when that takes time or code of the
  ///                               caller's.
  ///   - interceptor:              Adapts and retries.
  ///   - serverTrustManager:       Names the evaluators of servers' trust.
  ///   - redirectHandler:          Decides about redirects.
  ///   - cachedResponseHandler:    Decides about storing responses.
  ///   - eventMonitors:            Told about everything.
  ///   - baseURL:                  The URL that relative addresses are resolved against; see ``baseURL``.
  public convenience init(
    configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
    delegate: SessionDelegate = SessionDelegate(), rootQueue: DispatchQueue? = nil,
    startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy,
    requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil,
    interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
    redirectHandler: (any RedirectHandler)? = nil,
    cachedResponseHandler: (any CachedResponseHandler)? = nil,
    eventMonitors: [any EventMonitor] = [AlamofireNotifications()], baseURL: URL? = nil
  ) {
    precondition(
      configuration.identifier == nil, "A Session cannot work with a background configuration.")
    // A subclass of the delegate is code of the caller's, and that must not run on the loop.
    let isOnLoop = rootQueue == nil && type(of: delegate) == SessionDelegate.self
    let label = rootQueue.map(\.label) ?? "bluebonnet.session.root"
    let root = rootQueue?.isMain == true ? .main : DispatchQueue(label: label, target: rootQueue)
    let operations = isOnLoop ? nil : OperationQueue.serial(over: root, named: "\(label).sessionDelegate")
    let session =
      type(of: delegate) == SessionDelegate.self
      ? URLSession(
        configuration: configuration, delegate: delegate,
        executor: operations.map(CallbackExecutor.operations) ?? configuration.loopExecutor)
      : URLSession(configuration: configuration, delegate: delegate, delegateQueue: operations)
    self.init(
      session: session, delegate: delegate, rootQueue: root,
      startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
      requestQueue: requestQueue, serializationQueue: serializationQueue, interceptor: interceptor,
      serverTrustManager: serverTrustManager, redirectHandler: redirectHandler,
      cachedResponseHandler: cachedResponseHandler, eventMonitors: eventMonitors)
    baseAddress = baseURL.map(BaseAddress.init)
  }

  deinit {
    // The orphans are told when the URLSession confirms that nothing of theirs runs any more.
    for request in context.active.withLock({ $0.orphan() }) { request.disown() }
    session.invalidateAndCancel()
  }

  // MARK: Data

  // Everything below that is `open` has to stand in the body of the class to be overridable.

  /// Makes a request for a URL, with loosely typed parameters.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - parameters: The values to encode into the URL or the body; `nil`, the default, for none.
  ///   - encoding: How parameters are encoded; by default as a form, in the query or the body as the method has it.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func request(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
    encoding: any ParameterEncoding = URLEncoding.default, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    requestModifier: RequestModifier? = nil
  ) -> DataRequest {
    if baseAddress == nil, method == .get, parameters == nil, headers == nil, requestModifier == nil,
      encoding.isOurs, let plain = PlainRequestConvertible(convertible)
    {
      return request(
        plain, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }
    return request(
      RequestConvertible(
        url: address(convertible), method: method, parameters: parameters, encoding: encoding,
        headers: headers,
        requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a request for a URL, with `Encodable` parameters.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - parameters: The values to encode into the URL or the body; `nil`, the default, for none.
  ///   - encoder: How parameters are encoded; by default as a form, in the query or the body as the method has it.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func request<Parameters: Encodable & Sendable>(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
    encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    requestModifier: RequestModifier? = nil
  ) -> DataRequest {
    request(
      RequestConvertible(
        url: address(convertible), method: method, parameters: parameters, encoder: encoder, headers: headers,
        requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a request of a `URLRequest`, or of something that makes one for every attempt.
  ///
  /// - Parameters:
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  /// - Returns: The request.
  open func request(
    _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil
  ) -> DataRequest {
    introduce(
      DataRequest(
        convertible: convertible, session: self, shouldAutomaticallyResume: shouldAutomaticallyResume),
      interceptor)
  }

  // MARK: Streams

  /// Makes a streaming request for a URL, with `Encodable` parameters.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - parameters: The values to encode into the URL or the body; `nil`, the default, for none.
  ///   - encoder: How parameters are encoded; by default as a form, in the query or the body as the method has it.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - automaticallyCancelOnStreamError: Whether an error of a stream serializer cancels the request; false by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func streamRequest<Parameters: Encodable & Sendable>(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
    encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
    automaticallyCancelOnStreamError: Bool = false, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> DataStreamRequest {
    streamRequest(
      RequestConvertible(
        url: address(convertible), method: method, parameters: parameters, encoder: encoder, headers: headers,
        requestModifier: requestModifier),
      automaticallyCancelOnStreamError: automaticallyCancelOnStreamError, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a streaming request for a URL.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - automaticallyCancelOnStreamError: Whether an error of a stream serializer cancels the request; false by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func streamRequest(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, headers: HTTPHeaders? = nil,
    automaticallyCancelOnStreamError: Bool = false, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> DataStreamRequest {
    streamRequest(
      RequestConvertible(
        url: address(convertible), method: method, headers: headers, requestModifier: requestModifier),
      automaticallyCancelOnStreamError: automaticallyCancelOnStreamError, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a streaming request of a `URLRequest`, or of something that makes one for every attempt.
  ///
  /// - Parameters:
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - automaticallyCancelOnStreamError: Whether an error of a stream serializer cancels the request; false by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  /// - Returns: The request.
  open func streamRequest(
    _ convertible: any URLRequestConvertible, automaticallyCancelOnStreamError: Bool = false,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil
  ) -> DataStreamRequest {
    introduce(
      DataStreamRequest(
        convertible: convertible, automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
        session: self, shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  // MARK: WebSockets

  /// Makes a request that opens a WebSocket at a URL, with `Encodable` parameters.
  ///
  /// - Parameters:
  ///   - url: Where to: text, a `URL`, `URLComponents`, or a type of yours. Its scheme is `ws` or `wss`; `http` and `https`
  ///     mean the same.
  ///   - configuration: The subprotocol, the limit of messages, pings; `.default` by default.
  ///   - parameters: The values to encode into the URL; `nil`, the default, for none.
  ///   - encoder: How parameters are encoded; by default as a form, in the query.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func webSocketRequest<Parameters: Encodable & Sendable>(
    to url: any URLConvertible, configuration: WebSocketRequest.Configuration = .default,
    parameters: Parameters? = nil, encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> WebSocketRequest {
    webSocketRequest(
      performing: RequestConvertible(
        url: address(url), method: .get, parameters: parameters, encoder: encoder, headers: headers,
        requestModifier: requestModifier),
      configuration: configuration, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a request that opens a WebSocket at a URL.
  ///
  /// - Parameters:
  ///   - url: Where to: text, a `URL`, `URLComponents`, or a type of yours. Its scheme is `ws` or `wss`; `http` and `https`
  ///     mean the same.
  ///   - configuration: The subprotocol, the limit of messages, pings; `.default` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest`, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func webSocketRequest(
    to url: any URLConvertible, configuration: WebSocketRequest.Configuration = .default,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
  ) -> WebSocketRequest {
    webSocketRequest(
      performing: RequestConvertible(
        url: address(url), method: .get, headers: headers, requestModifier: requestModifier),
      configuration: configuration, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Makes a request that opens a WebSocket with a `URLRequest`, or with something that makes one for every attempt.
  ///
  /// - Parameters:
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - configuration: The subprotocol, the limit of messages, pings; `.default` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first handler starts it; `nil`, the default, leaves that to the session.
  /// - Returns: The request.
  open func webSocketRequest(
    performing convertible: any URLRequestConvertible,
    configuration: WebSocketRequest.Configuration = .default, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil
  ) -> WebSocketRequest {
    introduce(
      WebSocketRequest(
        convertible: convertible, configuration: configuration, session: self,
        shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  // MARK: Downloads

  /// Downloads from a URL, with loosely typed parameters.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - parameters: The values to encode into the URL or the body; `nil`, the default, for none.
  ///   - encoding: How parameters are encoded; by default as a form, in the query or the body as the method has it.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's among the temporary files.
  /// - Returns: The request.
  open func download(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
    encoding: any ParameterEncoding = URLEncoding.default, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    requestModifier: RequestModifier? = nil, to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    download(
      RequestConvertible(
        url: address(convertible), method: method, parameters: parameters, encoding: encoding,
        headers: headers,
        requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume, to: destination)
  }

  /// Downloads from a URL, with `Encodable` parameters.
  ///
  /// - Parameters:
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.get` by default.
  ///   - parameters: The values to encode into the URL or the body; `nil`, the default, for none.
  ///   - encoder: How parameters are encoded; by default as a form, in the query or the body as the method has it.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's among the temporary files.
  /// - Returns: The request.
  open func download<Parameters: Encodable & Sendable>(
    _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
    encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    requestModifier: RequestModifier? = nil, to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    download(
      RequestConvertible(
        url: address(convertible), method: method, parameters: parameters, encoder: encoder, headers: headers,
        requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume, to: destination)
  }

  /// Downloads what a `URLRequest` asks for into a file.
  ///
  /// - Parameters:
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's in the directory for
  ///     temporary files.
  /// - Returns: The request.
  open func download(
    _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    introduce(
      DownloadRequest(
        downloadable: .request(convertible), destination: destination, session: self,
        shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  /// Goes on with a download that broke off, in this process or in another one.
  ///
  /// The server is asked for the rest, on the condition that nothing has changed since; if it sends the whole all the same, or the
  /// part is gone, the download starts over. Neither adapters nor convertibles take part: the request is the earlier one's.
  ///
  /// - Parameters:
  ///   - data: From ``DownloadRequest/resumeData``. Invalid data fail the request; they may come from an attacker, and lead to no
  ///     file but the library's own.
  ///   - interceptor: Retries this request, after the session's; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's in the directory for
  ///     temporary files.
  /// - Returns: The request.
  open func download(
    resumingWith data: Data, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    introduce(
      DownloadRequest(
        downloadable: .resumeData(data), destination: destination, session: self,
        shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  /// Goes on with a download that broke off, from another address: a signed one, say, that replaces one that has expired. An
  /// addition of this package.
  ///
  /// - Parameters:
  ///   - data: From ``DownloadRequest/resumeData``; the request in it is not used.
  ///   - convertible: Makes the `URLRequest` of each attempt, which adapters may change: a GET without a range or a
  ///     condition of its own. What it leads to has to have the validator of the earlier response, or the download starts over.
  ///   - interceptor: Adapts and retries this request, after the session's; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's in the directory for
  ///     temporary files.
  /// - Returns: The request.
  open func download(
    resumingWith data: Data, from convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    introduce(
      DownloadRequest(
        downloadable: .request(convertible), earlier: data, destination: destination, session: self,
        shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  /// Goes on with a download that broke off, from another address. An addition of this package.
  ///
  /// - Parameters:
  ///   - data: From ``DownloadRequest/resumeData``; the request in it is not used.
  ///   - url: The address: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - headers: Fields to send beside the session's; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - destination: Says where the file goes; `nil`, the default, for a name of the library's in the directory for
  ///     temporary files.
  /// - Returns: The request.
  open func download(
    resumingWith data: Data, from url: any URLConvertible, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    to destination: DownloadRequest.Destination? = nil
  ) -> DownloadRequest {
    download(
      resumingWith: data,
      from: RequestConvertible(url: address(url), method: .get, headers: headers, requestModifier: nil),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume, to: destination)
  }

  // MARK: Uploads

  /// Sends data from memory to a URL; by default as a POST.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func upload(
    _ data: Data, to convertible: any URLConvertible, method: HTTPMethod = .post,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default,
    requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      data,
      with: RequestConvertible(
        url: address(convertible), method: method, headers: headers, requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume,
      fileManager: fileManager)
  }

  /// Sends data from memory as the body of a `URLRequest`.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  /// - Returns: The request.
  open func upload(
    _ data: Data, with convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    fileManager: FileManager = .default
  ) -> UploadRequest {
    upload(
      Upload(request: convertible, body: .data(data)), fileManager: fileManager, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Sends a file to a URL; by default as a POST. It is read while it is sent, again for each attempt.
  ///
  /// - Parameters:
  ///   - fileURL: The file to send; a pipe or a device is sent in chunks, to its end.
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func upload(
    _ fileURL: URL, to convertible: any URLConvertible, method: HTTPMethod = .post,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default,
    requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      fileURL,
      with: RequestConvertible(
        url: address(convertible), method: method, headers: headers, requestModifier: requestModifier),
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume,
      fileManager: fileManager)
  }

  /// Sends a file as the body of a `URLRequest`. It is read while it is sent, again for each attempt.
  ///
  /// - Parameters:
  ///   - fileURL: The file to send; a pipe or a device is sent in chunks, to its end.
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  /// - Returns: The request.
  open func upload(
    _ fileURL: URL, with convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    fileManager: FileManager = .default
  ) -> UploadRequest {
    upload(
      Upload(request: convertible, body: .file(fileURL, shouldRemove: false)), fileManager: fileManager,
      interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Sends what a stream gives to a URL; by default as a POST. A stream can be sent once: an attempt that needs it
  /// again fails.
  ///
  /// - Parameters:
  ///   - stream: The body; not opened yet.
  ///   - convertible: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func upload(
    _ stream: InputStream, to convertible: any URLConvertible, method: HTTPMethod = .post,
    headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
    fileManager: FileManager = .default, requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      stream,
      with: RequestConvertible(
        url: address(convertible), method: method, headers: headers, requestModifier: requestModifier),
      interceptor: interceptor, fileManager: fileManager)
  }

  /// Sends what a stream gives as the body of a `URLRequest`. A stream can be sent once: an attempt that needs it again
  /// fails.
  ///
  /// - Parameters:
  ///   - stream: The body; not opened yet.
  ///   - convertible: Makes the `URLRequest` of each attempt.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  /// - Returns: The request.
  open func upload(
    _ stream: InputStream, with convertible: any URLRequestConvertible,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    fileManager: FileManager = .default
  ) -> UploadRequest {
    upload(
      Upload(request: convertible, body: .stream(stream)), fileManager: fileManager, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  /// Uploads a form to a URL. `multipartFormData` fills it in at once, on the calling thread.
  ///
  /// - Parameters:
  ///   - multipartFormData: Fills the form in; called at once, on this thread.
  ///   - url: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - encodingMemoryThreshold: Bytes up to which the form is made in memory; 10,000,000 by default.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func upload(
    multipartFormData: @escaping (MultipartFormData) -> Void, to url: any URLConvertible,
    usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
    method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default,
    requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      multipartFormData: MultipartFormData(filledBy: multipartFormData, fileManager: fileManager),
      with: RequestConvertible(
        url: address(url), method: method, headers: headers, requestModifier: requestModifier),
      usingThreshold: encodingMemoryThreshold, interceptor: interceptor, fileManager: fileManager)
  }

  /// Uploads a form with a `URLRequest`. `multipartFormData` fills it in at once, on the calling thread.
  ///
  /// - Parameters:
  ///   - multipartFormData: Fills the form in; called at once, on this thread.
  ///   - request: Makes the `URLRequest` of each attempt.
  ///   - encodingMemoryThreshold: Bytes up to which the form is made in memory; 10,000,000 by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  /// - Returns: The request.
  open func upload(
    multipartFormData: @escaping (MultipartFormData) -> Void, with request: any URLRequestConvertible,
    usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
    interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default
  ) -> UploadRequest {
    upload(
      multipartFormData: MultipartFormData(filledBy: multipartFormData, fileManager: fileManager),
      with: request, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
      fileManager: fileManager)
  }

  /// Sends a form to a URL; by default as a POST. From the threshold on, 10,000,000 bytes by default, it is encoded
  /// while it is sent, without a file in between; see ``MultipartFormData``.
  ///
  /// - Parameters:
  ///   - multipartFormData: The form.
  ///   - url: Where to: text, a `URL`, `URLComponents`, or a type of yours.
  ///   - encodingMemoryThreshold: Bytes up to which the form is made in memory; 10,000,000 by default.
  ///   - method: The request method; `.post` by default.
  ///   - headers: Fields to send beside the session's, in place of those of the same name; `nil` by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  ///   - requestModifier: Changes each attempt's `URLRequest` before parameters are encoded, on ``requestQueue``; `nil` by default.
  /// - Returns: The request.
  open func upload(
    multipartFormData: MultipartFormData, to url: any URLConvertible,
    usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
    method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    fileManager: FileManager = .default, requestModifier: RequestModifier? = nil
  ) -> UploadRequest {
    upload(
      multipartFormData: multipartFormData,
      with: RequestConvertible(
        url: address(url), method: method, headers: headers, requestModifier: requestModifier),
      usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume, fileManager: fileManager)
  }

  /// Sends a form as the body of a `URLRequest`. From the threshold on, 10,000,000 bytes by default, it is encoded while it is
  /// sent, without a file in between; see ``MultipartFormData``.
  ///
  /// - Parameters:
  ///   - multipartFormData: The form.
  ///   - request: Makes the `URLRequest` of each attempt.
  ///   - encodingMemoryThreshold: Bytes up to which the form is made in memory; 10,000,000 by default.
  ///   - interceptor: Adapts and retries this request, after the session's own; `nil` by default.
  ///   - shouldAutomaticallyResume: Whether the first response handler starts it; `nil`, the default, leaves that to the session.
  ///   - fileManager: Removes temporary files of the upload when it is over; `FileManager.default` by default.
  /// - Returns: The request.
  open func upload(
    multipartFormData: MultipartFormData, with request: any URLRequestConvertible,
    usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
    interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
    fileManager: FileManager = .default
  ) -> UploadRequest {
    upload(
      MultipartUpload(
        multipartFormData, with: request, encodingMemoryThreshold: encodingMemoryThreshold),
      fileManager: fileManager, interceptor: interceptor,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }
}
