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
