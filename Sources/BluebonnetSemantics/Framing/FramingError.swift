// SPDX-License-Identifier: MIT

/// Why a stream could not be taken apart.
package enum FramingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A line has more bytes than the limit.
  case lineTooLong(limit: Int)
  /// A frame has more bytes than the limit.
  case frameTooLong(limit: Int)

  /// Why, in words.
  package var description: String {
    switch self {
    case .lineTooLong(let limit): "a line of the stream is longer than \(limit) bytes"
    case .frameTooLong(let limit): "an event of the stream is longer than \(limit) bytes"
    }
  }
}
