// SPDX-License-Identifier: MIT

/// The transfer codings of a response that are read (RFC 9112 §7).
public enum TransferCodings: Sendable, Hashable {
  /// `chunked` alone, which every client has to read. Others are refused: they were not asked for.
  case chunked
  /// `gzip` and `deflate`, too, as the request has offered with TE (RFC 9110 §10.1.4). Only the chunks are undone, if
  /// there are any; if not, the body ends with the connection (RFC 9112 §6.3 item 4). To undo the rest is left to the
  /// body's reader.
  case compressed
  /// Any. None is undone: a chunked body is delivered with its chunks' sizes and its trailer section in it.
  case asReceived
}

extension TransferCodings {
  /// Whether a coding other than `chunked` may stand in a response.
  func allows(_ coding: ListElement) -> Bool {
    switch self {
    case .chunked: false
    case .compressed: coding.equals("gzip") || coding.equals("x-gzip") || coding.equals("deflate")
    case .asReceived: true
    }
  }
}
