import BluebonnetFoundation

// Hints that Apple's systems act on. Linux has no cellular or constrained paths to keep off; the values are kept.
extension URLRequest {
  /// Whether the load may use a cellular path.
  public var allowsCellularAccess: Bool {
    get { storage.allowsCellularAccess }
    set { writable.allowsCellularAccess = newValue }
  }

  /// Whether the load may use a path that costs money.
  public var allowsExpensiveNetworkAccess: Bool {
    get { storage.allowsExpensiveNetworkAccess }
    set { writable.allowsExpensiveNetworkAccess = newValue }
  }

  /// Whether the load may use a path in low-data mode.
  public var allowsConstrainedNetworkAccess: Bool {
    get { storage.allowsConstrainedNetworkAccess }
    set { writable.allowsConstrainedNetworkAccess = newValue }
  }

  /// Whether name lookups may be kept on disk.
  public var allowsPersistentDNS: Bool {
    get { storage.allowsPersistentDNS }
    set { writable.allowsPersistentDNS = newValue }
  }

  /// Whether the server is expected to speak HTTP/3; HTTP/1.1 is spoken in any case.
  public var assumesHTTP3Capable: Bool {
    get { storage.assumesHTTP3Capable }
    set { writable.assumesHTTP3Capable = newValue }
  }

  /// Whether name lookups must be validated by DNSSEC.
  public var requiresDNSSECValidation: Bool {
    get { storage.requiresDNSSECValidation }
    set { writable.requiresDNSSECValidation = newValue }
  }
}
