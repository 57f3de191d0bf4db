// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The settings of a session that cannot be honoured: found once, when the session is made.
struct SessionRefusals: Sendable {
  /// Why every load is refused, also one that does not go over the network.
  let always: RefusedSetting?
  /// Why http requests are refused.
  let plain: RefusedSetting?
  /// Why https requests are refused.
  let secure: RefusedSetting?

  /// Nil where everything that was asked for can be done.
  init?(_ settings: URLSessionConfiguration.Settings) {
    always = Self.always(settings)
    let proxies =
      settings.proxySelection.isNone || settings.connectionProxyDictionary == nil
      ? nil : RefusedSetting.twoWaysToProxies
    let tls = Self.versions(settings) ?? settings.impossibleTLS
    secure = always ?? settings.impossibleCredentials ?? tls ?? proxies
    // A proxy may speak TLS, too.
    plain = always ?? proxies ?? (tls != nil && ProxyChooser(settings) != nil ? tls : nil)
    if plain == nil, secure == nil { return nil }
  }

  private static func always(_ settings: URLSessionConfiguration.Settings) -> RefusedSetting? {
    if settings.isBackground { return .background }
    if settings.requiresDNSSECValidation { return .validatedNames(of: "URLSessionConfiguration") }
    if settings.protocolClasses?.contains(where: { !($0 is URLProtocol.Type) }) == true {
      return .strangeProtocol
    }
    return settings.limitOutOfRange ?? settings.impossibleConnection
      ?? settings.unsendableHeader.map(RefusedSetting.header)
  }

  /// TLS 1.2 is the oldest supported version (RFC 8996), so a lower minimum still means 1.2 or better; but with a lower
  /// maximum the caller would get a version it has forbidden.
  private static func versions(_ settings: URLSessionConfiguration.Settings) -> RefusedSetting? {
    let (oldest, newest) =
      (settings.tlsMinimumSupportedProtocolVersion, settings.tlsMaximumSupportedProtocolVersion)
    if oldest.isForDatagrams { return .datagrams("tlsMinimumSupportedProtocolVersion") }
    if newest.isForDatagrams { return .datagrams("tlsMaximumSupportedProtocolVersion") }
    return newest < .TLSv12 || newest < oldest ? .noVersion : nil
  }
}

extension tls_protocol_version_t {
  fileprivate var isForDatagrams: Bool { self == .DTLSv10 || self == .DTLSv12 }
}

extension URLSessionConfiguration.Settings {
  /// The first of the additional fields that is not sent.
  fileprivate var unsendableHeader: String? {
    for key in httpAdditionalHeaders?.keys.map(\.base) ?? [] {
      // A key that is no string names no field.
      guard let name = key as? String else { return "\(key)" }
      if HeaderFields.isOurs(name), !name.equalsIgnoringASCIICase("Host") { return name }
    }
    return nil
  }
}

extension RefusedSetting {
  fileprivate static let background = RefusedSetting(
    "URLSessionConfiguration.background(withIdentifier:)",
    "cannot load: nothing goes on when the process ends",
    instead: "use .default, or a DownloadList, which goes on when the next process opens it")

  fileprivate static let strangeProtocol = RefusedSetting(
    "URLSessionConfiguration.protocolClasses", "holds a class that is no URLProtocol",
    instead: "subclass URLProtocol")

  fileprivate static let noVersion = RefusedSetting(
    "URLSessionConfiguration.tlsMaximumSupportedProtocolVersion",
    "allows no supported version of TLS (1.2 and 1.3)",
    instead: "allow .TLSv12 or .TLSv13, and no newer minimum")

  fileprivate static func datagrams(_ member: String) -> RefusedSetting {
    RefusedSetting(
      "URLSessionConfiguration." + member, "names a version for datagrams, and HTTP/1.1 has none",
      instead: "use .TLSv12 or .TLSv13")
  }

  fileprivate static func header(_ name: String) -> RefusedSetting {
    RefusedSetting(
      "URLSessionConfiguration.httpAdditionalHeaders",
      "names \(name), which cannot be the same for every request",
      instead: "leave it out")
  }

  static func validatedNames(of type: String) -> RefusedSetting {
    RefusedSetting(
      "\(type).requiresDNSSECValidation",
      "cannot be kept: the system's resolver does not say what it validated",
      instead: "leave it false, and rely on TLS for the server's identity")
  }

  static let cookiePartition = RefusedSetting(
    "URLRequest.cookiePartitionIdentifier", "cannot be kept: cookies are not stored in partitions",
    instead: "give each partition a session with an HTTPCookieStorage of its own")

  static let stream = RefusedSetting(
    "URLSession.ResponseDisposition.becomeStream", "cannot be done: there are no stream tasks",
    instead: "take the body with .allow in urlSession(_:dataTask:didReceive:)")

  static func resumption(_ reason: String) -> RefusedSetting {
    RefusedSetting(
      "URLSession.downloadTask(withResumeData:)", reason,
      instead: "start the download anew with downloadTask(with:)")
  }
}
