import BluebonnetFoundation

// Wishes that Apple's systems act on; see the article "What works on Linux".
extension URLRequest {
  /// Whether the load may use a cellular path. Has no meaning on Linux: the kind of a path is unknown.
  public var allowsCellularAccess: Bool {
    get { storage.allowsCellularAccess }
    set { writable.allowsCellularAccess = newValue }
  }

  /// Whether the load may use a path that costs money. Has no meaning on Linux: the cost of a path is unknown.
  public var allowsExpensiveNetworkAccess: Bool {
    get { storage.allowsExpensiveNetworkAccess }
    set { writable.allowsExpensiveNetworkAccess = newValue }
  }

  /// Whether the load may use a path in low-data mode. Has no meaning on Linux: there is no such mode.
  public var allowsConstrainedNetworkAccess: Bool {
    get { storage.allowsConstrainedNetworkAccess }
    set { writable.allowsConstrainedNetworkAccess = newValue }
  }

  /// Whether name lookups may be kept on disk. Has no meaning on Linux: they never are.
  public var allowsPersistentDNS: Bool {
    get { storage.allowsPersistentDNS }
    set { writable.allowsPersistentDNS = newValue }
  }

  /// Whether the server is expected to speak HTTP/3. Has no meaning on Linux: HTTP/1.1 is spoken in any case.
  public var assumesHTTP3Capable: Bool {
    get { storage.assumesHTTP3Capable }
    set { writable.assumesHTTP3Capable = newValue }
  }

  /// Whether name lookups must be validated by DNSSEC; false by default. True is refused: the system's resolver does
  /// not say what it validated, so the request fails with a ``RefusedSetting``.
  public var requiresDNSSECValidation: Bool {
    get { storage.requiresDNSSECValidation }
    set { writable.requiresDNSSECValidation = newValue }
  }
}
