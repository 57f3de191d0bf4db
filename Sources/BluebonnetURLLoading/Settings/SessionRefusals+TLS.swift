// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

extension URLSessionConfiguration.Settings {
  /// The revocation lists that are at hand.
  var revocationLists: RevocationListFiles {
    RevocationListFiles(paths: revocationListFiles, mustCoverChain: requiresRevocationLists)
  }

  /// The refusal of client certificates that no server could be shown.
  var impossibleCredentials: RefusedSetting? {
    clientCredentialsByHost.fault.map {
      RefusedSetting(
        "URLSessionConfiguration.clientCredentials", $0,
        instead: "state each host once, with a certificate and its key")
    }
  }

  /// The refusal of settings of TLS that no connection could be made with.
  var impossibleTLS: RefusedSetting? {
    // Nearly always there is nothing to look at.
    if tls == URLSessionConfiguration.TLSSettings() { return nil }
    if let foreign = tls.applicationProtocols.first(where: { !Self.spokenProtocols.contains($0) }) {
      return .tls("applicationProtocols", "names \"\(foreign)\", which is not supported")
    }
    do throws(TLSSettingError) {
      try TLSContext.check(TLSClientConfiguration(self))
      return nil
    } catch {
      return .tls(error.member.publicName, error.reason)
    }
  }

  private static var spokenProtocols: Set<String> { ["http/1.1", "http/1.0"] }
}

extension TLSSettingError.Member {
  fileprivate var publicName: String {
    switch self {
    case .keyLogPath: "keyLogFile"
    case .cipherList, .cipherSuites, .groups, .signatureAlgorithms, .applicationProtocols: rawValue
    }
  }
}

extension RefusedSetting {
  fileprivate static func tls(_ member: String, _ reason: String) -> RefusedSetting {
    RefusedSetting(
      "URLSessionConfiguration.tls.\(member)", reason,
      instead: "leave it as it is by default, or see what `openssl list` and `openssl ciphers` print")
  }
}

extension TLSClientConfiguration {
  /// As a session is configured; the trust is evaluated separately.
  init(_ settings: URLSessionConfiguration.Settings) {
    self.init(
      minimumVersion: TLSVersion(settings.tlsMinimumSupportedProtocolVersion),
      maximumVersion: TLSVersion(settings.tlsMaximumSupportedProtocolVersion),
      applicationProtocols: settings.tls.applicationProtocols,
      anchors: TrustAnchors(settings.trustAnchors),
      evaluatesOwnAnchorsStrictly: settings.evaluatesOwnAnchorsStrictly, verification: .manual)
    revocationLists = settings.revocationLists
    self.settings = BluebonnetTLS.TLSSettings(settings.tls)
  }
}

extension BluebonnetTLS.TLSSettings {
  fileprivate init(_ settings: URLSessionConfiguration.TLSSettings) {
    self.init()
    cipherList = settings.cipherList
    cipherSuites = settings.cipherSuites
    groups = settings.groups
    signatureAlgorithms = settings.signatureAlgorithms
    resumes = settings.resumesSessions
    answersPostHandshake = settings.answersPostHandshakeRequests
    keyLogPath = settings.keyLogFile
    if settings.options.contains(.legacyServerConnect) { options.insert(.legacyServerConnect) }
    if settings.options.contains(.padding) { options.insert(.padding) }
    if settings.options.contains(.noEncryptThenMAC) { options.insert(.noEncryptThenMAC) }
    if settings.options.contains(.noMiddleboxCompatibility) { disabledOptions = [.middleboxCompatibility] }
  }
}
