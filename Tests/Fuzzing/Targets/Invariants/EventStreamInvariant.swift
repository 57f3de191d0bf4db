// SPDX-License-Identifier: MIT

// An event stream, and lines of JSON, are taken apart the same whatever pieces they come in, within their limits.

@testable import BluebonnetSemantics

enum EventStreamInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let bytes = Array(input[1...])
    // Small pieces of one size, and one piece.
    let size = Int(selector & 7) + 1
    var limits = EventStreamParser.Limits()
    if selector & 8 != 0 { (limits.lineBytes, limits.eventBytes) = (64, 96) }
    let (whole, pieces) = (events(bytes, bytes.count, limits), events(bytes, size, limits))
    if whole != pieces { return "\(whole) in one piece, \(pieces) in pieces of \(size)" }
    for event in whole.events {
      if event.data.utf8.count + event.type.utf8.count + event.id.utf8.count
        > limits.eventBytes + "message".utf8.count
      {
        return "an event of \(event.data.utf8.count) bytes"
      }
      if event.id.utf8.contains(0) || event.id.utf8.contains(0x0A) || event.type.isEmpty { return "\(event)" }
    }
    if whole.events.count > bytes.count { return "\(whole.events.count) events of \(bytes.count) bytes" }
    return lines(bytes, size, selector & 8 != 0 ? 16 : 1 << 20)
  }

  private struct Found: Equatable {
    var events: [EventStreamParser.Event] = []
    var lastEventID = ""
    var reconnectionTime: Int?
    var error: FramingError?
  }

  private static func events(_ bytes: [UInt8], _ size: Int, _ limits: EventStreamParser.Limits) -> Found {
    var parser = EventStreamParser(limits: limits)
    var found = Found()
    for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
      do throws(FramingError) {
        try parser.append(bytes[start..<min(start + size, bytes.count)]) { found.events.append($0) }
      } catch {
        found.error = error
        break
      }
    }
    (found.lastEventID, found.reconnectionTime) = (parser.lastEventID, parser.reconnectionTime)
    return found
  }

  private static func lines(_ bytes: [UInt8], _ size: Int, _ limit: Int) -> String? {
    let (whole, pieces) = (split(bytes, max(1, bytes.count), limit), split(bytes, size, limit))
    if whole != pieces { return "\(whole ?? []) in one piece, \(pieces ?? []) in pieces of \(size)" }
    guard let whole else { return nil }
    if whole.contains(where: { $0.count > limit }) { return "a line beyond the limit" }
    // Nothing is lost but line ends.
    let kept = whole.reduce(0) { $0 + $1.count }
    let ends = bytes.count { $0 == 0x0A || $0 == 0x0D }
    return kept + ends < bytes.count ? "\(kept) of \(bytes.count) bytes are left" : nil
  }

  private static func split(_ bytes: [UInt8], _ size: Int, _ limit: Int) -> [[UInt8]]? {
    var parser = LineParser(limit: limit)
    var lines: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      do throws(FramingError) {
        try parser.append(piece.span) { lines.append(Array($0)) }
      } catch {
        return nil
      }
    }
    if let last = parser.finish() { lines.append(Array(last)) }
    return lines
  }
}
