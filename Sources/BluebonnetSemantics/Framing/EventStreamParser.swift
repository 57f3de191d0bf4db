// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Reads an event stream (`text/event-stream`, WHATWG HTML §9.2.6), whatever pieces it comes in.
///
///     line ── CR, LF or CRLF ─▶ empty: dispatch │ ":…": nothing │ "field: value": into the event
///
/// An event without its empty line at the end of the stream is dropped (§9.2.6), so there is nothing to be said about the end.
package struct EventStreamParser: Sendable {
  /// Bounds what one event may take.
  package struct Limits: Sendable, Hashable {
    /// Bytes of one line, without its end.
    package var lineBytes = 1024 * 1024
    /// Bytes of one event: its data, type and id.
    package var eventBytes = 4 * 1024 * 1024

    package init() {}
  }

  /// A dispatched event.
  package struct Event: Sendable, Hashable {
    /// The last event's id as it stands now, which earlier events may have set; empty if none did.
    package let id: String
    /// `message` where the event says nothing.
    package let type: String
    /// The lines of data, with LF between them.
    package let data: String
    /// The milliseconds to wait before a reconnection, as the server has said by then.
    package let reconnectionTime: Int?
  }

  private let limits: Limits
  private var line: [UInt8] = []
  /// The end of the last line was a CR: a LF that follows belongs to it.
  private var skipsLF = false
  private var isFirstLine = true
  private var failure: FramingError?

  private var data = ""
  private var hasData = false
  private var type = ""
  private var id = ""

  /// The value of `Last-Event-ID` at a reconnection; empty if there is none.
  package private(set) var lastEventID = ""
  /// Milliseconds that the server wants to pass before a reconnection; nil while it has not said.
  package private(set) var reconnectionTime: Int?

  package init(limits: Limits = Limits(), lastEventID: String = "") {
    self.limits = limits
    self.lastEventID = lastEventID
    id = lastEventID
  }

  /// Reads a piece.
  ///
  /// - Parameter take: Gets the events that are complete with it, one by one.
  /// - Throws: for a line or an event beyond its limit, behind the events before it; again for whatever comes after it.
  package mutating func append(
    _ piece: some Sequence<UInt8>, _ take: (Event) -> Void
  ) throws(FramingError) {
    if let failure { throw failure }
    do throws(FramingError) {
      try read(piece, take)
    } catch {
      failure = error
      line = []
      data = ""
      throw error
    }
  }

  private mutating func read(
    _ piece: some Sequence<UInt8>, _ take: (Event) -> Void
  ) throws(FramingError) {
    for byte in piece {
      let followsCR = skipsLF
      skipsLF = false
      switch byte {
      case Byte.lf where followsCR: continue
      case Byte.lf: try endLine(take)
      case Byte.cr:
        skipsLF = true
        try endLine(take)
      default:
        guard line.count < limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes) }
        line.append(byte)
      }
    }
  }

  private mutating func endLine(_ take: (Event) -> Void) throws(FramingError) {
    defer { line.removeAll(keepingCapacity: line.count <= 64 * 1024) }
    var content = line[...]
    // One byte order mark at the beginning is none of the text.
    if isFirstLine, content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    isFirstLine = false
    if content.isEmpty {
      if let event = dispatch() { take(event) }
      return
    }
    guard let colon = content.firstIndex(of: Byte.colon) else { return try note(content, value: []) }
    if colon == content.startIndex { return }
    let value = content[(colon + 1)...]
    try note(content[..<colon], value: value.first == Byte.space ? value.dropFirst() : value)
  }

  private mutating func note(_ name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws(FramingError) {
    // Names are compared byte by byte, and others are ignored.
    if name.elementsEqual("data".utf8) {
      if hasData { data += "\n" }
      data += String(decoding: value, as: UTF8.self)
      hasData = true
    } else if name.elementsEqual("event".utf8) {
      type = String(decoding: value, as: UTF8.self)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8), !value.isEmpty, value.allSatisfy(Byte.isDigit) {
      reconnectionTime = Int(String(decoding: value, as: UTF8.self)) ?? .max
    }
    guard data.utf8.count + type.utf8.count + id.utf8.count <= limits.eventBytes else {
      throw .frameTooLong(limit: limits.eventBytes)
    }
  }

  private mutating func dispatch() -> Event? {
    lastEventID = id
    defer { (data, type, hasData) = ("", "", false) }
    guard hasData else { return nil }
    return Event(
      id: lastEventID, type: type.isEmpty ? "message" : type, data: data,
      reconnectionTime: reconnectionTime)
  }
}
