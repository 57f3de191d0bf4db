import Bluebonnet

/// One transfer: a URL, what is sent there, and where the body goes.
struct TransferPlan: Equatable, Sendable {
  var operation: Operation
  var address: RequestAddress
  /// As it was typed.
  var typed: String
  /// Which of the operation's URLs, and which of all transfers, from 0.
  var number: Int
  var isFirstOfOperation = true
  var content: RequestContent?
  var place: OutputFile.Place
  /// The name of the output is to be found in the response.
  var isNamedByResponse: Bool {
    place != .standardOutput && operation.output.usesHeaderName && isRemotelyNamed
  }
  var isRemotelyNamed: Bool
  /// Where the body goes on that is there already; how much of it there is.
  var resumesAt: Int?
  var entityTag: String?
  /// Names and passwords of a file.
  var netrc: Netrc?

  /// The method of the first request.
  var method: String {
    if let method = operation.request.method { return method }
    if operation.request.asksForHead { return "HEAD" }
    switch content {
    case nil: return "GET"
    case .upload, .standardInput: return "PUT"
    default: return "POST"
    }
  }
}

/// What is sent.
enum RequestContent: Equatable, Sendable {
  case data(BodyPlan, type: String)
  case form(FormBody)
  /// A file of `-T`.
  case upload(BodyPlan)
  /// Standard input, of a length that nobody knows.
  case standardInput
}
