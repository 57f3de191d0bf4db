// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Seconds without progress after which a load fails; 60 by default, 0 or less for no limit. Works.
  public var timeoutIntervalForRequest: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForRequest } }
    set { state.withLock { $0.timeoutIntervalForRequest = newValue } }
  }

  /// Seconds after which a load fails, however it progresses; a week by default, 0 or less for no limit. Works.
  public var timeoutIntervalForResource: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForResource } }
    set { state.withLock { $0.timeoutIntervalForResource = newValue } }
  }

  /// The purpose of loads. Has no meaning on Linux: the kernel's default class is used for all.
  public var networkServiceType: URLRequest.NetworkServiceType {
    get { state.withLock { $0.networkServiceType } }
    set { state.withLock { $0.networkServiceType = newValue } }
  }

  /// Whether loads may use a cellular path. Has no meaning on Linux: the kind of a path is unknown.
  public var allowsCellularAccess: Bool {
    get { state.withLock { $0.allowsCellularAccess } }
    set { state.withLock { $0.allowsCellularAccess = newValue } }
  }

  /// Whether loads may use a path that costs money. Has no meaning on Linux: the cost of a path is unknown.
  public var allowsExpensiveNetworkAccess: Bool {
    get { state.withLock { $0.allowsExpensiveNetworkAccess } }
    set { state.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
  }

  /// Whether loads may use a path in low-data mode. Has no meaning on Linux: there is no such mode.
  public var allowsConstrainedNetworkAccess: Bool {
    get { state.withLock { $0.allowsConstrainedNetworkAccess } }
    set { state.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
  }

  /// Whether name lookups must be validated by DNSSEC; false by default. True is refused: the system's resolver does
  /// not say what it validated, so every request fails with a ``RefusedSetting``.
  public var requiresDNSSECValidation: Bool {
    get { state.withLock { $0.requiresDNSSECValidation } }
    set { state.withLock { $0.requiresDNSSECValidation = newValue } }
  }

  /// Whether a load waits for a network instead of failing; false by default. Works: while no route leads to the host,
  /// or no name server answers, `urlSession(_:taskIsWaitingForConnectivity:)` is called once, and the load looks again
  /// after 0.25 to 15 seconds until `timeoutIntervalForResource`.
  public var waitsForConnectivity: Bool {
    get { state.withLock { $0.waitsForConnectivity } }
    set { state.withLock { $0.waitsForConnectivity = newValue } }
  }

  /// Whether transfers may be put off. Has no meaning on Linux: they are not scheduled.
  public var isDiscretionary: Bool {
    get { state.withLock { $0.isDiscretionary } }
    set { state.withLock { $0.isDiscretionary = newValue } }
  }

  /// The container of background downloads. Has no meaning on Linux: there are no containers.
  public var sharedContainerIdentifier: String? {
    get { state.withLock { $0.sharedContainerIdentifier } }
    set { state.withLock { $0.sharedContainerIdentifier = newValue } }
  }

  /// Whether an app is launched for its transfers. Has no meaning on Linux: there are no apps to be launched.
  public var sessionSendsLaunchEvents: Bool {
    get { state.withLock { $0.sessionSendsLaunchEvents } }
    set { state.withLock { $0.sessionSendsLaunchEvents = newValue } }
  }

  /// Whether connections outlive the way to the background. Has no meaning on Linux: programs are not sent there.
  public var shouldUseExtendedBackgroundIdleMode: Bool {
    get { state.withLock { $0.shouldUseExtendedBackgroundIdleMode } }
    set { state.withLock { $0.shouldUseExtendedBackgroundIdleMode = newValue } }
  }

  /// The use of several paths at once. Has no meaning on Linux: every connection has one path.
  public var multipathServiceType: MultipathServiceType {
    get { state.withLock { $0.multipathServiceType } }
    set { state.withLock { $0.multipathServiceType = newValue } }
  }

  /// The oldest version of TLS to accept; 1.2 by default. Works: a lower one still means at least 1.2
  /// (RFC 8996). Versions for datagrams are refused for https requests.
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { state.withLock { $0.tlsMinimumSupportedProtocolVersion } }
    set { state.withLock { $0.tlsMinimumSupportedProtocolVersion = newValue } }
  }

  /// The newest version of TLS to offer; 1.3 by default. Works: less than 1.2, less than the minimum, and versions for
  /// datagrams are refused for https requests.
  public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
    get { state.withLock { $0.tlsMaximumSupportedProtocolVersion } }
    set { state.withLock { $0.tlsMaximumSupportedProtocolVersion = newValue } }
  }

  /// The proxies to use, under CFNetwork's keys such as ``kCFNetworkProxiesHTTPProxy``; nil, the default, for none. Works;
  /// see also ``Settings/proxySelection``.
  ///
  /// A group of keys without its `…Enable` is taken to be switched on. A rule that cannot be honoured, such as a script or an
  /// unknown key, fails the requests that it concerns with a ``RefusedSetting`` before anything is sent.
  public var connectionProxyDictionary: [AnyHashable: Any]? {
    get { settings.connectionProxyDictionary }
    set { change { $0.connectionProxyDictionary = newValue } }
  }
}
