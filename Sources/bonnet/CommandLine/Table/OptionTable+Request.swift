extension OptionTable {
  /// The head of requests, and redirects.
  static let request: [OptionEntry] = [
    .value("url", nil, "URL", [.curl], "What to fetch") { $0.operation.urls.append($1) },
    .value("request", "X", "method", [.http], "The method") { $0.operation.request.method = $1 },
    .value("request-target", nil, "target", [.http], "What stands in the request line in the URL's place") {
      $0.operation.request.target = $1
    },
    .flag("head", "I", [.http], "Asks for the head only") { $0.operation.request.asksForHead = $1 },
    .act("http1.0", "0", [.http], "Speaks HTTP/1.0") { $0.operation.request.usesHTTP10 = true },
    .act("http1.1", nil, [.http], "Speaks HTTP/1.1, which it does anyway") {
      $0.operation.request.usesHTTP10 = false
    },
    .value(
      "header", "H", "field", [.http, .important],
      "A field, as 'Name: value'; 'Name:' takes one away, 'Name;' sends it empty, @file has one a line"
    ) { parser, text throws(CommandError) in
      let lines = try FieldLine.texts(of: text, read: parser.files.read)
      if lines.contains(where: { FieldLine($0) == nil }) {
        // What it holds may be a secret.
        parser.warn("a value of -H is passed over: a field is written as 'Name: value'")
      }
      parser.operation.request.fields += lines
    },
    .value("user-agent", "A", "name", [.http, .important], "The User-Agent; empty for none") {
      $0.operation.request.agent = $1
    },
    .value("referer", "e", "URL", [.http], "The Referer; with ;auto behind it, redirects get their own") {
      parser, text in
      let refersAutomatically = text.hasSuffix(";auto")
      parser.operation.request.refersAutomatically = refersAutomatically
      let referrer = refersAutomatically ? String(text.dropLast(5)) : text
      parser.operation.request.referrer = referrer.isEmpty ? nil : referrer
    },
    .value("range", "r", "range", [.http], "A part of the resource, as 0-499 or -500") {
      parser, text throws(CommandError) in
      if !text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ",") }) {
        parser.warn("a range is written as 0-499, 500- or -500, not as '\(text)'")
      }
      parser.operation.request.resumption = nil
      let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber }
      parser.operation.request.range = isNumber ? text + "-" : text
    },
    .value("continue-at", "C", "offset", [.connection], "Goes on behind so many bytes; - finds out by itself")
    {
      parser, text throws(CommandError) in
      guard parser.operation.request.range == nil else {
        throw CommandError(.usage, "-C and -r exclude each other")
      }
      parser.operation.request.resumption =
        text == "-" ? .automatic : .at(try OptionNumber.integer(text, from: 0))
    },
    .value(
      "time-cond", "z", "time", [.http], "Only if newer than a date or a file; with - before it, older"
    ) {
      parser, text throws(CommandError) in
      parser.operation.request.timeCondition = try TimeCondition.parsed(text, parser: &parser)
    },
    .value("etag-compare", nil, "file", [.http], "Only if the entity tag differs from the one in the file") {
      $0.operation.request.entityTagSource = $1
    },
    .value("etag-save", nil, "file", [.http], "Keeps the entity tag of the response in a file") {
      $0.operation.request.entityTagPlace = $1
    },
    .flag("compressed", nil, [.http], "Asks for br, gzip or deflate, and undoes it") {
      $0.operation.request.asksForCompression = $1
    },
    .flag("tr-encoding", nil, [.http], "Asks for a compressed transfer, and undoes it") {
      $0.operation.request.asksForTransferCoding = $1
    },
    .flag("raw", nil, [.http], "Writes bodies as they came, chunks and all") {
      $0.operation.request.isRaw = $1
    },
    .flag("path-as-is", nil, [.curl], "Leaves /../ and /./ in the URL's path") {
      $0.operation.request.keepsDots = $1
    },
    .flag("disallow-username-in-url", nil, [.curl], "Refuses URLs with a user in them") {
      $0.operation.request.refusesUsers = $1
    },
    .value("proto", nil, "schemes", [.connection, .curl], "Schemes that may be used") {
      parser, text in
      for name in parser.operation.request.schemes.apply(text) { parser.warn("unknown scheme '\(name)'") }
    },
    .value("proto-redir", nil, "schemes", [.connection, .curl], "Schemes that redirects may lead to") {
      parser, text in
      for name in parser.operation.redirects.schemes.apply(text) { parser.warn("unknown scheme '\(name)'") }
    },
    .value("proto-default", nil, "scheme", [.connection, .curl], "The scheme of URLs that have none") {
      parser, text throws(CommandError) in
      guard SchemeSet.all.contains(text.lowercased()) else {
        throw CommandError(.unsupportedScheme, "--proto-default: the scheme \"\(text)\" is not supported")
      }
      parser.operation.request.usualScheme = text.lowercased()
    },
    .value("expect100-timeout", nil, "seconds", [.http], "How long a 100 (Continue) is waited for") {
      parser, text throws(CommandError) in
      parser.operation.request.continuePatience = try OptionNumber.seconds(text) ?? 0
    },
    .flag("location", "L", [.http], "Follows redirects") { $0.operation.redirects.follows = $1 },
    .flag("location-trusted", nil, [.http, .auth], "The same, and shows other hosts the credentials") {
      $0.operation.redirects.follows = $1
      $0.operation.redirects.trustsOthers = $1
    },
    .value("max-redirs", nil, "count", [.http], "How many redirects at most; -1 for any number") {
      parser, text throws(CommandError) in
      let count = try OptionNumber.integer(text, from: -1)
      parser.operation.redirects.limit = count < 0 ? nil : count
    },
    .flag("post301", nil, [.http, .post], "A POST stays one after a 301") { $0.keepPost(after: 301, $1) },
    .flag("post302", nil, [.http, .post], "A POST stays one after a 302") { $0.keepPost(after: 302, $1) },
    .flag("post303", nil, [.http, .post], "A POST stays one after a 303") { $0.keepPost(after: 303, $1) },
    .value(
      "cookie", "b", "name=value|file", [.http],
      "Cookies to send, or a file with some; with it, cookies are kept"
    ) { parser, text in
      if text.unicodeScalars.contains("=") {
        parser.operation.cookies.texts.append(text)
      } else {
        parser.operation.cookies.files.append(text)
      }
    },
    .value("cookie-jar", "c", "file", [.http], "Keeps cookies, and writes them to a file in the end") {
      $0.operation.cookies.jar = $1
    },
    .flag("junk-session-cookies", "j", [.http], "Forgets cookies of files that are for a session only") {
      $0.operation.cookies.forgetsSessions = $1
    },
  ]
}

extension CommandLineParser {
  fileprivate mutating func keepPost(after status: Int, _ isOn: Bool) {
    if isOn {
      operation.redirects.keepsPostAfter.insert(status)
    } else {
      operation.redirects.keepsPostAfter.remove(status)
    }
  }
}
