// SPDX-License-Identifier: MIT
import Bluebonnet

/// One transfer: a URL, its content, and the destination of the body.
struct TransferPlan: Equatable, Sendable {
  var operation: Operation
  var address: RequestAddress
  /// As it was typed.
  var typed: String
  /// The index of the operation's URL, and that of the transfer, from 0.
  var number: Int
  var isFirstOfOperation = true
  var content: RequestContent?
  var place: OutputFile.Place
  /// The name of the output is to be found in the response.
  var isNamedByResponse: Bool {
    place != .standardOutput && operation.output.usesHeaderName && isRemotelyNamed
  }
  var isRemotelyNamed: Bool
  /// The file that the body goes on in; the number of bytes there.
  var resumesAt: Int?
  var entityTag: String?
  /// Names and passwords of a file.
  var netrc: Netrc?

  /// The method of the first request.
  var method: String {
    let uploads =
      switch content {
      case .upload, .standardInput: true
      default: false
      }
    return operation.request.firstMethod(uploads: uploads, sends: content != nil)
  }
}

/// The content.
enum RequestContent: Equatable, Sendable {
  case data(BodyPlan, type: String)
  case form(FormBody)
  /// A file of `-T`.
  case upload(BodyPlan)
  /// Standard input, of unknown length.
  case standardInput

  /// Bytes, as far as they are known.
  var length: Int? {
    switch self {
    case .data(let body, _), .upload(let body): body.length
    case .form(let form): form.contentLength
    case .standardInput: nil
    }
  }

  /// Whether it is that of `-T`.
  var isUpload: Bool {
    switch self {
    case .upload, .standardInput: true
    case .data, .form: false
    }
  }
}
