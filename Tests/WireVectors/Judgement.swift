// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// What became of one vector.
package enum Judgement: Sendable {
  case passed
  /// The suite's opinion was not followed, for a reason written down.
  case departed(KnownDifference)
  case failed(expected: String, reached: String)
}

/// What our parsers made of a vector's bytes: the messages, and how the input as a whole ended.
package struct Reached: Sendable, CustomStringConvertible {
  package enum Outcome: String, Sendable { case accept, incomplete, reject }

  package var outcome: Outcome
  package var messages: [Transcript]
  /// The rule behind a rejection; nil if bytes followed a message that closes the connection.
  package var rule: HTTP1Error.Rule?
  /// Bytes behind the last message that were not looked at.
  package var leftover = 0

  package var description: String {
    var text = outcome.rawValue
    if let rule { text += " (\(rule))" }
    for message in messages {
      let start = message.status.map(String.init) ?? message.method ?? "-"
      text += ", \(start) \(message.fields.count) fields \(message.body.count) body bytes"
    }
    return text
  }
}

extension Vector {
  /// Runs the case in the mode it asks for, then in every other way of feeding it.
  package func judge(splits: Int = 4096) -> Judgement {
    if header != nil { return judgeContentDisposition() }
    let reached = reach()
    if let problem = disagreement(mode, splits: splits) {
      return .failed(expected: "the same however the input is fed", reached: problem)
    }
    if let problem = intolerance(splits: splits) {
      return .failed(expected: "the same in tolerant mode, or repaired and closed", reached: problem)
    }
    return judge(reached)
  }

  /// Compares what was reached with what the suite expects.
  func judge(_ reached: Reached) -> Judgement {
    guard let (expected, difference) = mismatch(reached) else { return .passed }
    if let knownDifference = KnownDifference.all.first(where: { $0.covers(self, reached) }) {
      return .departed(knownDifference)
    }
    return .failed(expected: expected, reached: difference)
  }

  var mode: ParsingMode { isLenient ? .lenient : .strict }

  /// The parser for the message at `index`.
  func subject(_ index: Int) -> Subject {
    switch kind {
    case "request", "url": return .request
    case "chunked-body": return .chunked
    default:
      if context?.skip_body == true { return .response(.head) }
      let methods = context?.request_methods ?? [method ?? "GET"]
      return .response(RequestKind(method: methods.isEmpty ? "GET" : methods[min(index, methods.count - 1)]))
    }
  }

  /// A bare request target is judged inside a request.
  var wireBytes: [UInt8] {
    kind == "url" ? Array("GET ".utf8) + input + Array(" HTTP/1.1\r\n\r\n".utf8) : input
  }

  /// Where each message starts, with its parser: messages follow one another while the connection persists.
  private func messages(
    _ mode: ParsingMode
  ) -> [(start: Int, subject: Subject, transcript: Transcript)] {
    let bytes = wireBytes
    var found: [(start: Int, subject: Subject, transcript: Transcript)] = []
    var start = 0
    repeat {
      let subject = subject(found.count)
      let transcript = subject.transcript(bytes, from: start, eof: eof ?? false, mode: mode)
      found.append((start, subject, transcript))
      start = transcript.consumed
      if transcript.verdict != .complete || !transcript.keepsConnection { break }
      if mayStop, found.count >= expect.messages?.count ?? 1 { break }
      // Line ends behind a message are padding, not the beginning of another.
      if bytes[start...].allSatisfy({ $0 == 10 || $0 == 13 }) { break }
    } while start < bytes.count
    return found
  }

  /// h11's logs stop where h11 pauses, llhttp's where an upgrade begins, and five clients judged one response only.
  private var mayStop: Bool {
    expect.upgrade != nil || (suite == "h11" && expect.outcome != "reject") || suite == "consensus"
  }

  func reach() -> Reached { reached(messages(mode).map(\.transcript)) }

  /// How the input as a whole ended, of which these are the messages.
  func reached(_ messages: [Transcript]) -> Reached {
    let bytes = wireBytes
    guard let last = messages.last else { return Reached(outcome: .incomplete, messages: []) }
    var reached = Reached(outcome: .accept, messages: messages)
    switch last.verdict {
    case .reject(let error):
      reached.rule = error.rule
      reached.outcome = isHeadOnly && last.hasHead ? .accept : .reject
    case .incomplete:
      // After an interim response nothing is begun until the next byte comes.
      let isBetween = !last.hasHead && !last.interim.isEmpty && last.consumed == bytes.count
      let isOpen = !(isHeadOnly && last.hasHead) && !leavesTrailers && !isBetween
      reached.outcome = isOpen ? .incomplete : .accept
    case .complete:
      // Node's parser treats bytes behind a closing message as an error; our callers drop the connection with them.
      let rest = bytes[last.consumed...]
      reached.leftover = rest.count
      let isBlank = rest.allSatisfy { $0 == 10 || $0 == 13 }
      if !isBlank, !last.keepsConnection, !last.isUpgraded, !mayStop, kind != "chunked-body", !isHeadOnly {
        reached.outcome = .reject
      }
    }
    return reached
  }

  /// picohttpparser can stop before the trailer section; our decoder reads it always.
  var leavesTrailers: Bool { context?.trailer_section == "left to the caller" }

  /// A way of feeding that changes what is said about any of the messages.
  private func disagreement(_ mode: ParsingMode, splits: Int) -> String? {
    let bytes = wireBytes
    for (start, subject, transcript) in messages(mode) {
      let eof = eof ?? false
      if let (feeding, whole, other) = subject.disagreement(
        bytes, from: start, eof: eof, mode: mode, splits: splits)
      {
        return "\(feeding): \(other.verdict) instead of \(whole.verdict)"
      }
      // What stands behind a message, or behind the byte that broke it, must not matter.
      if transcript.verdict == .incomplete || (eof && transcript.consumed == bytes.count) { continue }
      if case .reject(let error) = transcript.verdict, eof || error.rule == .truncatedBody { continue }
      let more = subject.transcript(bytes + Array("\0GET / \r\n".utf8), from: start, mode: mode)
      if more != transcript { return "with trailing bytes: \(more.verdict) instead of \(transcript.verdict)" }
    }
    return nil
  }

  /// How strict and tolerant mode differ where they must not: whichever mode the suite asks for, what strict mode takes,
  /// tolerant mode takes alike, and what it takes besides is repaired and ends the connection.
  private func intolerance(splits: Int) -> String? {
    for mode in [ParsingMode.strict, .tolerant] where mode != self.mode {
      if let problem = disagreement(mode, splits: splits) { return "\(mode), \(problem)" }
    }
    for (strict, tolerant) in zip(messages(.strict), messages(.tolerant)) {
      let (strict, tolerant) = (strict.transcript, tolerant.transcript)
      if !strict.repairs.isEmpty { return "strict mode repaired \(strict.repairs)" }
      if tolerant.repairs.isEmpty, tolerant != strict { return "\(tolerant.verdict) without a repair" }
      if !tolerant.repairs.isEmpty, tolerant.keepsConnection || tolerant.isUpgraded {
        return "the connection is used after \(tolerant.repairs)"
      }
      if !tolerant.repairs.isEmpty, case .reject = strict.verdict { continue }
      if tolerant != strict { return "\(tolerant.verdict) instead of \(strict.verdict)" }
    }
    return nil
  }
}
