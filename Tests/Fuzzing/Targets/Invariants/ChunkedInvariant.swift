// SPDX-License-Identifier: MIT

// Any bytes give a body or a documented error, at bounded cost, equal at every split.

import BluebonnetHTTP1

/// Besides: what was decoded comes back from the encoder.
enum ChunkedInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let circumstances = Circumstances(input) else { return nil }
    let (violation, whole) = circumstances.disagreement(
      { ChunkedDecoder(mode: $0, limits: circumstances.limits) }, reset: { $0.reset() })
    if let violation { return violation }
    guard whole.ending == .complete else { return nil }
    var wire: [UInt8] = []
    for start in stride(from: 0, to: whole.body.count, by: Int(circumstances.cuts) + 1) {
      let chunk = whole.body[start..<min(whole.body.count, start + Int(circumstances.cuts) + 1)]
      wire += ChunkedEncoder.header(size: chunk.count) + chunk + ChunkedEncoder.chunkEnd
    }
    wire += ChunkedEncoder.terminator
    var decoder = ChunkedDecoder()
    let again = decoder.account(of: wire, ends: [wire.count], closes: true)
    guard again.ending == .complete, again.body == whole.body, again.consumed == wire.count else {
      return "encoded anew: \(again)"
    }
    return nil
  }
}
