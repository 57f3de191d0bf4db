import Bluebonnet

/// What there is to tell about a fetch when it is over.
struct Outcome: Sendable {
  var response: HTTPURLResponse?
  var received: Int64 = 0
  var redirects = 0
  var metrics: URLSessionTaskMetrics?

  /// What `-w` can show, by curl's names.
  func variables(plan: RequestPlan, status: ExitStatus, message: String) -> [String: String] {
    let transaction = metrics?.transactionMetrics.last
    let start = metrics?.taskInterval.start
    func seconds(until date: Date?) -> String {
      guard let start, let date else { return "0.000000" }
      return ProgressBar.fixed(max(0, date.timeIntervalSince(start)), 6)
    }
    let url = response?.url ?? plan.url
    let code = response.map { "\($0.statusCode)" } ?? "000"
    return [
      "http_code": code, "response_code": code, "size_download": "\(received)",
      "num_redirects": "\(redirects)", "url_effective": url.absoluteString, "url": plan.url.absoluteString,
      "scheme": url.scheme ?? "", "method": plan.method,
      "http_version": response.map { "1.\($0.minorVersion)" } ?? "0",
      "content_type": response?.value(forHTTPHeaderField: "Content-Type") ?? "",
      "time_namelookup": seconds(until: transaction?.domainLookupEndDate),
      "time_connect": seconds(until: transaction?.connectEndDate),
      "time_appconnect": seconds(until: transaction?.secureConnectionEndDate),
      "time_pretransfer": seconds(until: transaction?.requestStartDate),
      "time_starttransfer": seconds(until: transaction?.responseStartDate),
      "time_total": ProgressBar.fixed(metrics?.taskInterval.duration ?? 0, 6),
      "exitcode": "\(status.rawValue)", "errormsg": message,
    ]
  }
}
