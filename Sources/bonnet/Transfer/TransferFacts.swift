// SPDX-License-Identifier: MIT
import Bluebonnet

/// The facts about a transfer.
struct TransferFacts: Sendable {
  var response: HTTPURLResponse?
  var method = "GET"
  var url = ""
  /// False where the URL is only what was typed.
  private(set) var hasAddress = true
  var referrer: String?
  /// The target of the last response's redirect.
  var redirectURL: String?
  var redirects = 0
  var received = 0
  /// Whether the bytes counted there came in a content coding.
  var isDecoded = false
  var receivedTotal: Int?
  var sent = 0
  var sentTotal: Int?
  /// Bytes of all heads that came.
  var headBytes = 0
  /// The measurements of each request.
  var metrics: [URLSessionTaskMetrics] = []
  /// The times when the first request began, and each next one.
  var start = ContinuousClock.now
  var end: ContinuousClock.Instant?
  /// Time until the last request began, in seconds.
  var redirectTime = 0.0
  var fileName: String?
  /// That of the last response; empty for one that has none.
  var entityTag: String?
  /// The file that was written to; nil if there is none.
  var remains: OutputFile.Remains?
  var error: CommandError?
  /// The condition of the request was not met: there is nothing to write, and no file for it.
  var isUnmet = false
  /// It is the response itself that shows it, by its date: it is told as the 304 that the server should have sent, as with curl.
  var isTooOldOrNew = false
  /// A proxy's answer to CONNECT; nil if it was not asked.
  var connectStatus: Int?
  /// The certificates of the proxy at the other end of the last new connection to one.
  var proxyTrust: SecTrust?

  var elapsed: Double { ((end ?? .now) - start) / .seconds(1) }

  var progress: ProgressFacts {
    ProgressFacts(
      received: received, receivedTotal: receivedTotal, sent: sent, sentTotal: sentTotal, elapsed: elapsed)
  }

  init() {}

  /// The facts about a transfer that could not be planned, so that nothing was sent.
  ///
  /// - Parameters:
  ///   - typed: Its URL, as it was typed.
  ///   - uploads: Whether there is a file to upload.
  init(_ error: CommandError, typed: String, of operation: Operation, uploads: Bool) {
    self.error = error
    url = typed
    hasAddress = false
    referrer = operation.request.referrer
    let content = operation.content
    let sends = !content.parts.isEmpty || content.data != nil && !content.putsDataIntoQuery
    method = operation.request.firstMethod(uploads: uploads, sends: sends)
  }

  /// Everything that `-w` knows.
  ///
  /// - Parameters:
  ///   - typed: The URL, as it was typed.
  ///   - number: The number of the transfer.
  func variables(typed: String, number: Int) -> TransferVariables {
    let transactions = metrics.flatMap(\.transactionMetrics)
    let last = transactions.last
    let elapsed = self.elapsed
    let begin = metrics.last?.taskInterval.start
    func time(_ date: Date?) -> TransferVariables.Value {
      guard let begin, let date else { return .time(0) }
      return .time(redirectTime + max(0, date.timeIntervalSince(begin)))
    }
    func text(_ text: String?) -> TransferVariables.Value { .text(text) }
    // The last that says something, as with curl.
    let contentType = response.map { ResponseHeadText.values("Content-Type", of: $0) }?.last { !$0.isEmpty }
    let code = isTooOldOrNew ? 304 : response?.statusCode ?? 0
    let certificates = last?.presentedServerCertificates ?? []
    let proxyObjection = proxyTrust.flatMap(CertificateText.objection)
    let requestBytes = transactions.reduce(0) { $0 + Int($1.countOfRequestHeaderBytesSent) }
    return TransferVariables(
      values: [
        "certs": .text(certificates.map(CertificateText.details).joined()),
        "content_type": text(contentType),
        "errormsg": text(error?.message), "exitcode": .integer(Int(error?.status.rawValue ?? 0)),
        "filename_effective": text(fileName), "ftp_entry_path": .text(nil), "http_code": .code(code),
        "http_connect": .code(connectStatus ?? 0),
        "http_version": .text(response.map { $0.minorVersion == 0 ? "1" : "1.1" } ?? "0"),
        "local_ip": .text(last?.localAddress ?? ""), "local_port": .integer(last?.localPort ?? 0),
        "method": .text(method), "num_certs": .integer(certificates.count),
        "num_connects": .integer(transactions.count { $0.localAddress != nil && !$0.isReusedConnection }),
        "num_headers": .integer(response.map { ResponseHeadText.lines(of: $0).count - 1 } ?? 0),
        "num_redirects": .integer(redirects),
        "proxy_ssl_verify_result": .integer(proxyObjection?.verifyResult ?? 0),
        "redirect_url": .text(redirectURL), "referer": .text(referrer),
        "remote_ip": .text(last?.remoteAddress ?? ""), "remote_port": .integer(last?.remotePort ?? 0),
        "response_code": .code(code), "scheme": text(scheme),
        "size_download": .integer(receivedOverWire), "size_header": .integer(headBytes),
        "size_request": .integer(requestBytes), "size_upload": .integer(sent),
        "speed_download": .integer(Self.speed(receivedOverWire, elapsed)),
        "speed_upload": .integer(Self.speed(sent, elapsed)),
        "ssl_verify_result": .integer(last?.serverTrustError?.verifyResult ?? 0),
        "time_appconnect": time(last?.secureConnectionEndDate),
        // By the API, a connection's end is that of its handshake.
        "time_connect": time(last?.secureConnectionStartDate ?? last?.connectEndDate),
        "time_namelookup": time(last?.domainLookupEndDate), "time_pretransfer": time(last?.requestStartDate),
        "time_redirect": .time(redirectTime), "time_starttransfer": time(last?.responseStartDate),
        "time_total": .time(elapsed), "url": .text(typed), "url_effective": .text(url),
        "urlnum": .integer(number),
      ],
      fields: response.map(ResponseHeadText.fields) ?? [], isSuccess: error == nil)
  }

  /// The names of all variables of `-w`, sorted.
  static var variableNames: [String] {
    (TransferFacts().variables(typed: "", number: 0).values.keys + ["header_json", "json"]).sorted()
  }

  private var scheme: String? { hasAddress ? url.prefix { $0 != ":" }.uppercased() : nil }

  /// Bytes of the body as they came, before a coding was undone.
  private var receivedOverWire: Int {
    guard isDecoded, let last = metrics.last?.transactionMetrics.last else { return received }
    return Int(last.countOfResponseBodyBytesReceived)
  }

  private static func speed(_ bytes: Int, _ seconds: Double) -> Int {
    seconds > 0 ? Int(Double(bytes) / seconds) : 0
  }
}
