import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Seconds without progress after which a load fails.
  public var timeoutIntervalForRequest: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForRequest } }
    set { state.withLock { $0.timeoutIntervalForRequest = newValue } }
  }

  /// Seconds after which a load fails, however it progresses.
  public var timeoutIntervalForResource: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForResource } }
    set { state.withLock { $0.timeoutIntervalForResource = newValue } }
  }

  /// What loads are for.
  public var networkServiceType: URLRequest.NetworkServiceType {
    get { state.withLock { $0.networkServiceType } }
    set { state.withLock { $0.networkServiceType = newValue } }
  }

  /// Whether loads may use a cellular path.
  public var allowsCellularAccess: Bool {
    get { state.withLock { $0.allowsCellularAccess } }
    set { state.withLock { $0.allowsCellularAccess = newValue } }
  }

  /// Whether loads may use a path that costs money.
  public var allowsExpensiveNetworkAccess: Bool {
    get { state.withLock { $0.allowsExpensiveNetworkAccess } }
    set { state.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
  }

  /// Whether loads may use a path in low-data mode.
  public var allowsConstrainedNetworkAccess: Bool {
    get { state.withLock { $0.allowsConstrainedNetworkAccess } }
    set { state.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
  }

  /// Whether name lookups must be validated by DNSSEC.
  public var requiresDNSSECValidation: Bool {
    get { state.withLock { $0.requiresDNSSECValidation } }
    set { state.withLock { $0.requiresDNSSECValidation = newValue } }
  }

  /// Whether a load waits for a path instead of failing.
  public var waitsForConnectivity: Bool {
    get { state.withLock { $0.waitsForConnectivity } }
    set { state.withLock { $0.waitsForConnectivity = newValue } }
  }

  /// Kept for source compatibility.
  public var isDiscretionary: Bool {
    get { state.withLock { $0.isDiscretionary } }
    set { state.withLock { $0.isDiscretionary = newValue } }
  }

  /// Kept for source compatibility.
  public var sharedContainerIdentifier: String? {
    get { state.withLock { $0.sharedContainerIdentifier } }
    set { state.withLock { $0.sharedContainerIdentifier = newValue } }
  }

  /// Kept for source compatibility.
  public var sessionSendsLaunchEvents: Bool {
    get { state.withLock { $0.sessionSendsLaunchEvents } }
    set { state.withLock { $0.sessionSendsLaunchEvents = newValue } }
  }

  /// Kept for source compatibility.
  public var shouldUseExtendedBackgroundIdleMode: Bool {
    get { state.withLock { $0.shouldUseExtendedBackgroundIdleMode } }
    set { state.withLock { $0.shouldUseExtendedBackgroundIdleMode = newValue } }
  }

  /// Kept for source compatibility.
  public var multipathServiceType: MultipathServiceType {
    get { state.withLock { $0.multipathServiceType } }
    set { state.withLock { $0.multipathServiceType = newValue } }
  }

  /// The oldest version of TLS to accept.
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { state.withLock { $0.tlsMinimumSupportedProtocolVersion } }
    set { state.withLock { $0.tlsMinimumSupportedProtocolVersion = newValue } }
  }

  /// The newest version of TLS to offer.
  public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
    get { state.withLock { $0.tlsMaximumSupportedProtocolVersion } }
    set { state.withLock { $0.tlsMaximumSupportedProtocolVersion = newValue } }
  }

  /// The proxies to use, under CFNetwork's keys.
  public var connectionProxyDictionary: [AnyHashable: Any]? {
    get { values.connectionProxyDictionary }
    set {
      // Boxed: `Any` may not cross into the mutex, though only constants are kept in it.
      var changed = values
      changed.connectionProxyDictionary = newValue
      state.withLock { [changed] in $0 = changed }
    }
  }
}
