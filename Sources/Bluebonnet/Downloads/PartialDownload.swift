// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// The bytes received of a download, from attempt to attempt.
///
///     begin ─▶ asking ─▶ head ─▶ receiving ─▶ end ─▶ complete │ short
///       ▲                 ├────▶ complete, nothing was missing
///       │                 ├────▶ ignoring a response that says nothing about it
///       └── again ────────┘
///
/// A value: event in, action out. The driver is `DownloadTransfer`.
struct PartialDownload {
  /// The consequence of a response's head for the file.
  enum Action: Equatable {
    /// The body is put behind the bytes at hand.
    case append
    /// The file is emptied; what comes is the whole.
    case startOver
    /// The body is of no interest.
    case ignore
    /// The file is emptied, and the whole asked for.
    case again
  }

  /// The use of a response, once it is over.
  enum Verdict: Equatable {
    case good
    /// Its status says that nothing can be had.
    case status(Int)
    /// The whole has to be asked for.
    case again
    /// The server's mistake.
    case mismatch(String)
  }

  private enum Stage: Equatable {
    case asking
    /// Up to this byte, exclusively; nil if unknown.
    case receiving(end: Int64?)
    case complete
    case ignoring(Verdict)
  }

  /// Bytes that are there.
  private(set) var length: Int64
  private(set) var total: Int64?
  private(set) var validator: RangeValidator?
  private var stage = Stage.asking
  private var asked: ResumePoint?

  /// - Parameter length: The number of bytes at hand; none of them is used without a validator.
  init(length: Int64, total: Int64?, validator: RangeValidator?) {
    self.length = validator == nil ? 0 : length
    (self.total, self.validator) = (total, validator)
    // More than there can be is of something else.
    if let total, self.length > total { (self.length, self.total, self.validator) = (0, nil, nil) }
  }

  /// All bytes are there, and the server need not be asked.
  var isWhole: Bool { length > 0 && length == total }

  /// An attempt begins: the further fields of its request.
  ///
  /// Without a content coding, because a coded body could not be gone on with.
  mutating func begin() -> [HeaderFields.Field] {
    stage = .asking
    asked = validator.flatMap { ResumePoint(offset: length, total: total, validator: $0) }
    return asked?.fields ?? [.init(name: "Accept-Encoding", value: "identity")]
  }

  /// The head of the attempt's final response.
  ///
  /// - Parameters:
  ///   - requestFields: What the caller asked for.
  ///   - now: The present in seconds since 1970.
  mutating func received(
    status: Int, _ fields: FieldBlock, contentLength: Int64?, requestFields: HeaderFields, now: Int
  ) -> Action {
    switch asked?.decide(status: status, fields) {
    case .continue(let end, let total)?:
      (stage, self.total) = (.receiving(end: end), total)
      return .append
    case .complete?:
      (stage, total) = (.complete, length)
      return .ignore
    case .askAgain?:
      forget()
      stage = .ignoring(.again)
      return .again
    case .refuse(let reason)?:
      stage = .ignoring(.mismatch(reason))
      return .ignore
    case .startOver?: break
    case nil where status == 200 || status == 203: break
    case nil where status == 206:
      stage = .ignoring(.mismatch("it was asked for the whole, and sent a part"))
      return .ignore
    case .unrelated?, nil:
      stage = .ignoring(.status(status))
      return .ignore
    }
    forget()
    total = contentLength
    validator =
      ResumablePart.point(
        method: "GET", requestFields: requestFields, status: 200, fields: fields, offset: 1, total: nil,
        now: now)?.validator
    stage = .receiving(end: total)
    return .startOver
  }

  private mutating func forget() { (length, total, validator) = (0, nil, nil) }

  /// Bytes of the response's body have come.
  ///
  /// - Returns: how many of them belong to the file; nil if there are more than were announced.
  mutating func received(_ count: Int) -> Int? {
    guard case .receiving(let end) = stage else { return 0 }
    if let end, length + Int64(count) > end { return nil }
    length += Int64(count)
    return count
  }

  /// The use of the response with this head.
  var verdict: Verdict {
    switch stage {
    case .receiving, .complete: .good
    case .ignoring(let verdict): verdict
    case .asking: .mismatch("there is no answer")
    }
  }

  /// The response has ended well.
  ///
  /// - Returns: The fault of the file; nil if it is the whole.
  func shortfall() -> String? {
    switch stage {
    case .complete: return nil
    case .receiving(let end):
      if let end, length != end { return "what it sent ends at byte \(length), and was to end at \(end)" }
      if let total, length != total { return "there are \(length) bytes, and \(total) in all" }
      return nil
    case .asking, .ignoring: return "there is no answer"
    }
  }
}
