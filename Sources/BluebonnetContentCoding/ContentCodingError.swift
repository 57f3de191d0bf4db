// SPDX-License-Identifier: MIT

/// Why a coded body could not be read.
package enum ContentCodingError: Error, Sendable, Hashable {
  /// The bytes are not what the coding says, or their checksum is wrong.
  case corrupt(ContentCoding)
  /// The body ended inside the coded stream.
  case truncated(ContentCoding)
  /// More came out than the limit allows.
  case bomb(Expansion)
  /// A coding without decoder, or a use of one that has none.
  case unsupported(String)
  /// More codings on top of each other than are of any use.
  case tooManyCodings(Int)
  /// No memory for the coding's state.
  case outOfMemory
}

extension ContentCodingError {
  /// The output at the point where it became too much.
  package struct Expansion: Sendable, Hashable, CustomStringConvertible {
    package let output: Int
    package let input: Int
    package let limit: DecompressionLimit

    package init(output: Int, input: Int, limit: DecompressionLimit) {
      self.output = output
      self.input = input
      self.limit = limit
    }

    package var description: String {
      let setting = limit.setting.map { " (see \($0))" } ?? ""
      return "\(input) bytes became \(output), the limit is \(limit)\(setting)"
    }
  }
}

extension ContentCodingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .corrupt(let coding): "it is not valid \(coding.name)"
    case .truncated(let coding): "it ends inside its \(coding.name) stream"
    case .bomb(let expansion): "it expands further than is allowed: \(expansion)"
    case .unsupported(let name): "content coding \(name) is not supported"
    case .tooManyCodings(let count):
      "\(count) content codings, at most \(ContentDecoder.mostCodings) are undone"
    case .outOfMemory: "no memory for decoding"
    }
  }
}
