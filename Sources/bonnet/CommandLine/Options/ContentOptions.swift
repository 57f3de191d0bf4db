// SPDX-License-Identifier: MIT

/// The content of a request.
struct ContentOptions: Equatable, Sendable {
  /// The data of `-d` and its kin, in the order in which they came.
  var data: BodyPlan?
  /// `--json`.
  var isJSON = false
  /// `-F` and `--form-string`, in order.
  var parts: [FormWord] = []
  /// `--form-escape`: quotes in names by a backslash.
  var escapesByBackslash = false
  /// `-G`: the data go into the query.
  var putsDataIntoQuery = false
  /// `--url-query`, joined.
  var query: String?
  /// `--crlf`: line ends of uploads become CRLF.
  var convertsLineEnds = false
}

/// One `-F` or `--form-string`.
struct FormWord: Equatable, Sendable {
  let text: String
  /// `--form-string`: nothing in it has a meaning.
  let isLiteral: Bool
}

extension ContentOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<ContentOptions>] = [
    body(
      .form, "data", "Sends form data by POST; @file reads a file", letter: "d",
      categories: [.post, .http, .important]),
    body(.form, "data-ascii", "Same as --data"),
    body(.raw, "data-raw", "Sends data by POST; @ has no special meaning"),
    body(.binary, "data-binary", "Sends data by POST; @file is sent unchanged"),
    body(.encoded, "data-urlencode", "Sends URL-encoded data by POST: content, name=content or name@file"),
    body(.json, "json", "Sends JSON by POST and asks for JSON"),
    .flag(
      "get", "G", [.http, .upload], "Puts the data into the URL's query, by GET",
      sets: \.putsDataIntoQuery),
    .valueInContext(
      "url-query", nil, "data", [.http, .post, .upload],
      "Adds to the URL's query; encodes like --data-urlencode"
    ) {
      options, text, context throws(CommandError) in
      let added =
        text.hasPrefix("+")
        ? Array(ByteText.bytes(text).dropFirst()) : try DataOption.encoded(text, files: context.files)
      let text = ByteText.text(added)
      options.query = options.query.map { $0 + "&" + text } ?? text
    },
    .value(
      "form", "F", "part", [.http, .upload],
      "Sends a multipart form field: name=value, name=@file or name=<file"
    ) { $0.parts.append(FormWord(text: $1, isLiteral: false)) },
    .value("form-string", nil, "part", [.http, .upload], "Sends a multipart form field as typed: name=value")
    {
      $0.parts.append(FormWord(text: $1, isLiteral: true))
    },
    .flag(
      "form-escape", nil, [.http, .upload], "Escapes quotes in form names with a backslash",
      sets: \.escapesByBackslash),
    .flag("crlf", nil, [.upload], "Converts LF to CRLF in uploads", sets: \.convertsLineEnds),
  ]

  private static func body(
    _ kind: DataOption, _ name: String, _ help: String, letter: Character? = nil,
    categories: Set<OptionCategory> = [.post, .http]
  ) -> OptionEntry<ContentOptions> {
    .valueInContext(name, letter, "data", categories, help) { options, text, context throws(CommandError) in
      options.add(try kind.body(text, files: context.files), as: kind)
    }
  }

  /// Adds data behind those that are there, with `&` between them unless they are JSON.
  private mutating func add(_ body: BodyPlan, as kind: DataOption) {
    if case .json = kind { isJSON = true }
    guard var all = data else { return data = body }
    // Taken out, so that the present data are not copied.
    data = nil
    if case .json = kind {} else { all.append([UInt8(ascii: "&")]) }
    all.append(body)
    data = all
  }
}
