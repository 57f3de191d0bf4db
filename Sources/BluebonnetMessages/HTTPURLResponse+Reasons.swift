// SPDX-License-Identifier: MIT
extension HTTPURLResponse {
  /// A short sentence for a status code, in lower case.
  public class func localizedString(forStatusCode statusCode: Int) -> String {
    reasons[statusCode] ?? families[statusCode / 100] ?? "server error"
  }

  private static let families = [
    1: "informational", 2: "success", 3: "redirected", 4: "client error", 5: "server error",
  ]

  // RFC 9110 §15, RFC 6585, RFC 7725, RFC 8297, RFC 4918, RFC 8470.
  private static let reasons: [Int: String] = [
    100: "continue", 101: "switching protocols", 102: "processing", 103: "early hints",
    200: "no error", 201: "created", 202: "accepted", 203: "non-authoritative information", 204: "no content",
    205: "reset content", 206: "partial content", 207: "multi-status", 208: "already reported",
    226: "im used",
    300: "multiple choices", 301: "moved permanently", 302: "found", 303: "see other", 304: "not modified",
    305: "needs proxy", 307: "temporarily redirected", 308: "permanent redirect",
    400: "bad request", 401: "unauthorized", 402: "payment required", 403: "forbidden", 404: "not found",
    405: "method not allowed", 406: "unacceptable", 407: "proxy authentication required",
    408: "request timed out", 409: "conflict", 410: "no longer exists", 411: "length required",
    412: "precondition failed", 413: "request too large", 414: "requested URL too long",
    415: "unsupported media type", 416: "requested range not satisfiable", 417: "expectation failed",
    418: "i'm a teapot", 421: "misdirected request", 422: "unprocessable content", 423: "locked",
    424: "failed dependency", 425: "too early", 426: "upgrade required", 428: "precondition required",
    429: "too many requests", 431: "request header fields too large", 451: "unavailable for legal reasons",
    500: "internal server error", 501: "unimplemented", 502: "bad gateway", 503: "service unavailable",
    504: "gateway timed out", 505: "unsupported version", 507: "insufficient storage", 508: "loop detected",
    511: "network authentication required",
  ]
}
