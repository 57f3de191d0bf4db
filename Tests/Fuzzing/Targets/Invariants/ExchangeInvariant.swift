// SPDX-License-Identifier: MIT

// Any order of events gives actions or a documented error, at bounded cost, equal wherever the server's bytes are cut;
// reuse only with the whole request sent and nothing left over, one end, and never a malformed request.

import BluebonnetHTTP1

/// Behind the circumstances: what request it is, how many events there are, the events, and what the server says.
enum ExchangeInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let circumstances = Circumstances(input), circumstances.wire.count >= 2 else { return nil }
    let eventCount = Int(circumstances.wire[1] & 63)
    let events = circumstances.wire[2...].prefix(eventCount)
    let server = Array(circumstances.wire[2...].dropFirst(eventCount))
    var whole: [ExchangePlay.Note]?
    for piece in [Int.max, 1, Int(circumstances.cuts) % 29 + 2] {
      var play = ExchangePlay(circumstances, request: circumstances.wire[0], server: server, piece: piece)
      play.perform(events)
      if let breach = play.breach { return breach }
      guard let whole else {
        whole = play.notes
        continue
      }
      if play.notes != whole { return "in pieces of \(piece): \(play.notes) instead of \(whole)" }
    }
    return nil
  }
}
