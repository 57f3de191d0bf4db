// SPDX-License-Identifier: MIT

/// The options for the head of a request.
struct RequestOptions: Equatable, Sendable {
  /// The condition of `-z`.
  struct TimeCondition: Equatable, Sendable {
    /// Seconds since 1970.
    let time: Int
    /// The resource is wanted if it has not changed since.
    let wantsOlder: Bool
  }

  /// The place where `-C` goes on.
  enum Resumption: Equatable, Sendable {
    case at(Int)
    /// `-C -`: behind what there is.
    case automatic
  }

  var method: String?
  /// `--request-target`.
  var target: String?
  var asksForHead = false
  var usesHTTP10 = false
  /// `--http2`: HTTP/2 if it can be had, which it never can here.
  var prefersHTTP2 = false
  /// The lines of `-H`, those of files among them.
  var fields: [String] = []
  var agent: String?
  var referrer: String?
  /// `-e ";auto"`: a redirect is told where it came from.
  var refersAutomatically = false
  var range: String?
  var resumption: Resumption?
  var timeCondition: TimeCondition?
  /// The file with the entity tag to compare.
  var entityTagSource: String?
  /// The file for the entity tag of the response.
  var entityTagPlace: String?
  var asksForCompression = false
  /// `--tr-encoding`: the transfer may be compressed.
  var asksForTransferCoding = false
  /// `--raw`: bodies as they came.
  var isRaw = false
  /// Dots in paths are sent as they are.
  var keepsDots = false
  var refusesUsers = false
  /// The schemes that may be asked for; all that are known by default.
  var schemes = SchemeSet.all
  /// The scheme of a URL without one.
  var usualScheme: String?
  /// Seconds to wait for a 100.
  var continuePatience: Double?
}

extension RequestOptions {
  /// The method of the first request: that of `-X`, or else the usual one for its content.
  func firstMethod(uploads: Bool, sends: Bool) -> String {
    method ?? (asksForHead ? "HEAD" : uploads ? "PUT" : sends ? "POST" : "GET")
  }
}

extension RequestOptions {
  private static let twoRanges = CommandError(.usage, "-C and -r exclude each other")

  /// The words of the command line that set them.
  static let entries: [OptionEntry<RequestOptions>] = [
    .value("request", "X", "method", [.http], "Request method", sets: \.method),
    .value(
      "request-target", nil, "target", [.http], "Request target to send instead of the URL's path",
      sets: \.target),
    .flag("head", "I", [.http], "Requests the headers only (HEAD)", sets: \.asksForHead),
    .act("http1.0", "0", [.http], "Uses HTTP/1.0") {
      ($0.usesHTTP10, $0.prefersHTTP2) = (true, false)
    },
    .act("http1.1", nil, [.http], "Uses HTTP/1.1, the default") {
      ($0.usesHTTP10, $0.prefersHTTP2) = (false, false)
    },
    .act("http2", nil, [.http], "Accepted; uses HTTP/1.1, as HTTP/2 is not supported") {
      ($0.usesHTTP10, $0.prefersHTTP2) = (false, true)
    },
    .valueInContext(
      "header", "H", "field", [.http, .important],
      "Sends this header field; 'Name:' removes one, 'Name;' sends it empty, @file reads a list"
    ) { options, text, context throws(CommandError) in
      let lines = try FieldLine.texts(of: text, read: context.files.read)
      if lines.contains(where: { FieldLine($0) == nil }) {
        // What it holds may be a secret.
        context.warn("a value of -H is passed over: a field is written as 'Name: value'")
      }
      options.fields += lines
    },
    .value(
      "user-agent", "A", "name", [.http, .important], "Sends this User-Agent; '' for none", sets: \.agent),
    .value("referer", "e", "URL", [.http], "Sends this Referer; ;auto sets it on redirects") {
      options, text in
      let refersAutomatically = text.hasSuffix(";auto")
      options.refersAutomatically = refersAutomatically
      let referrer = refersAutomatically ? String(text.dropLast(5)) : text
      options.referrer = referrer.isEmpty ? nil : referrer
    },
    .valueInContext("range", "r", "range", [.http], "Requests a byte range, such as 0-499 or -500") {
      options, text, context throws(CommandError) in
      if !text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ",") }) {
        context.warn("a range is written as 0-499, 500- or -500, not as '\(text)'")
      }
      guard options.resumption == nil else { throw twoRanges }
      let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber }
      options.range = isNumber ? text + "-" : text
    },
    .value("continue-at", "C", "offset", [.connection], "Resumes at this offset; - takes it from the file") {
      options, text throws(CommandError) in
      guard options.range == nil else { throw twoRanges }
      options.resumption = text == "-" ? .automatic : .at(try OptionNumber.count(text))
    },
    .valueInContext(
      "time-cond", "z", "time", [.http],
      "Only if changed since this date or file's date; with - before it, only if not"
    ) {
      options, text, context throws(CommandError) in
      let hasSign = ["-", "+", "="].contains { text.hasPrefix($0) }
      let moment = hasSign ? String(text.dropFirst()) : text
      let time = DateText.seconds(moment) ?? context.files.changeTime(moment)
      if time == nil {
        context.warn("'\(moment)' is neither a date nor a file: the condition of -z is left out")
      }
      options.timeCondition = time.map { TimeCondition(time: $0, wantsOlder: text.hasPrefix("-")) }
    },
    .value(
      "etag-compare", nil, "file", [.http], "Sends the ETag in this file as If-None-Match",
      sets: \.entityTagSource),
    .value(
      "etag-save", nil, "file", [.http], "Saves the ETag of the response to this file",
      sets: \.entityTagPlace),
    .flag(
      "compressed", nil, [.http], "Requests a compressed response and decodes it", sets: \.asksForCompression),
    .flag(
      "tr-encoding", nil, [.http], "Requests a compressed transfer and decodes it",
      sets: \.asksForTransferCoding),
    .flag("raw", nil, [.http], "Writes the body undecoded, with its chunk lines", sets: \.isRaw),
    .flag("path-as-is", nil, [.curl], "Keeps /../ and /./ in the URL's path", sets: \.keepsDots),
    .flag("disallow-username-in-url", nil, [.curl], "Refuses URLs with a user name", sets: \.refusesUsers),
    .valueInContext("proto", nil, "schemes", [.connection, .curl], "Allowed schemes, such as =https") {
      options, text, context in
      for name in options.schemes.apply(text) { context.warn("unknown scheme '\(name)'") }
    },
    .value("proto-default", nil, "scheme", [.connection, .curl], "Scheme of URLs without one") {
      options, text throws(CommandError) in
      guard SchemeSet.all.contains(text.lowercased()) else {
        throw CommandError(.unsupportedScheme, "--proto-default: the scheme \"\(text)\" is not supported")
      }
      options.usualScheme = text.lowercased()
    },
    .value("expect100-timeout", nil, "seconds", [.http], "Maximum time to wait for 100 Continue") {
      options, text throws(CommandError) in
      options.continuePatience = try OptionNumber.seconds(text) ?? 0
    },
  ]
}
