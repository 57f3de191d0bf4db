// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport

extension ConnectionPool.Configuration {
  init(_ settings: URLSessionConfiguration.Settings) {
    let tls = TLSClientConfiguration(settings)
    self.init(tls: tls)
    proxyTLS.minimumVersion = tls.minimumVersion
    proxyTLS.maximumVersion = tls.maximumVersion
    proxyTLS.settings = tls.settings
    proxyTLS.applicationProtocols = tls.applicationProtocols
    // A revoked certificate is so for all; the authorities that have to have a list are the origins' only.
    proxyTLS.revocationLists = RevocationListFiles(paths: tls.revocationLists.paths)
    proxyTLS.anchors = TrustAnchors(settings.proxyTrustAnchors)
    proxyTLS.evaluatesOwnAnchorsStrictly = settings.evaluatesOwnAnchorsStrictly
    verifiesProxies = settings.verifiesProxyCertificates
    maximumConnectionsPerEndpoint = settings.httpMaximumConnectionsPerHost
    maximumConnections = settings.connectionLimit
    maximumLookups = settings.lookupLimit
    resolver = settings.resolver
    dial = settings.dial
    let rules = ConnectRules(settings)
    connectRules = rules.isEmpty ? nil : rules
    parsing =
      switch settings.responseParsing {
      case .strict: .strict
      case .tolerant: .tolerant
      case .lenient: .lenient
      }
    parserLimits.chunkOverheadBytes = settings.chunkOverheadLimit
    parserLimits.headBytes = settings.responseHeadLimit
    parserLimits.lineBytes = settings.responseLineLimit
    parserLimits.fieldCount = settings.responseFieldLimit
    parserLimits.interimResponses = settings.interimResponseLimit
    // Whatever is out of range makes no connection.
    idleTimeout = Timeouts.nanoseconds(settings.timeoutIntervalForIdleConnections) ?? 0
    continuePatience = Timeouts.nanoseconds(settings.timeoutIntervalForContinue) ?? 0
    connectionAttemptDelay = Timeouts.nanoseconds(settings.connectionAttemptDelay) ?? 0
    decompressionInMemory = DecompressionLimit(
      settings.decompressionLimitInMemory, setting: "decompressionLimitInMemory")
    decompressionWhenStreaming = DecompressionLimit(
      settings.decompressionLimitWhenStreaming, setting: "decompressionLimitWhenStreaming")
  }
}

extension DecompressionLimit {
  init(_ limit: URLSessionConfiguration.DecompressionLimit, setting: String) {
    self.init(
      bytes: limit.bytes, ratio: limit.ratio, ratioThreshold: limit.ratioThreshold,
      setting: "URLSessionConfiguration.\(setting)")
  }
}

extension TLSVersion {
  /// Versions before 1.2 were retired by RFC 8996: a request for them gets 1.2.
  init(_ version: tls_protocol_version_t) {
    self = version == .TLSv13 ? .tls13 : .tls12
  }
}

extension tls_protocol_version_t {
  init(_ version: TLSVersion) {
    self = version == .tls13 ? .TLSv13 : .TLSv12
  }
}

extension TrustAnchors {
  init(_ anchors: URLSessionConfiguration.TrustAnchors) {
    self =
      switch anchors {
      case .system: .system
      case .file(let path): .file(path)
      case .directory(let path): .directory(path)
      case .certificates(let certificates): .certificates(certificates.map(\.certificate))
      case .several(let members): .several(members.map(Self.init))
      }
  }
}

extension Timeouts {
  /// A request's time-out is a limit on silence in every phase; connecting may have one of its own.
  init(request: URLRequest, settings: URLSessionConfiguration.Settings) {
    let silence = request.statedTimeoutInterval ?? settings.timeoutIntervalForRequest
    self.init(everyPhase: Timeouts.nanoseconds(silence))
    if let limit = settings.timeoutIntervalForWaiting { waiting = Timeouts.nanoseconds(limit) }
    if let limit = settings.timeoutIntervalForConnection {
      connect = Timeouts.nanoseconds(limit)
      handshake = connect
    }
  }

  /// Seconds to nanoseconds; nil (no limit) for anything that is not a positive number of them.
  static func nanoseconds(_ seconds: TimeInterval) -> UInt64? {
    guard seconds > 0, seconds <= 1e9 else { return nil }
    return UInt64(seconds * 1e9)
  }
}
