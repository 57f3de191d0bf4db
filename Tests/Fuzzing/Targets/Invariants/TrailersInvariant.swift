// SPDX-License-Identifier: MIT

// Any bytes behind the last chunk give trailers or a documented error, at bounded cost, equal at every split.

import BluebonnetHTTP1

/// Besides: trailers that may be sent pass through the encoder and back unchanged.
enum TrailersInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let whole = Array(input[..<2]) + Array("0\r\n".utf8) + Array(input[2...])
    guard let circumstances = Circumstances(whole) else { return nil }
    let (violation, account) = circumstances.disagreement(
      { ChunkedDecoder(mode: $0, limits: circumstances.limits) }, reset: { $0.reset() })
    if let violation { return violation }
    guard account.ending == .complete else { return nil }
    guard account.body.isEmpty else { return "trailers became body" }
    var decoder = ChunkedDecoder(mode: circumstances.mode, limits: circumstances.limits)
    _ = decoder.account(of: circumstances.wire, ends: [circumstances.wire.count], closes: false)
    let trailers = decoder.trailers
    if let problem = FieldsInvariant.violation(trailers, mode: circumstances.mode) { return problem }
    let wire: [UInt8]
    do throws(HTTP1Error) {
      wire = try ChunkedEncoder.terminator(trailers: trailers)
    } catch {
      return error.fault == .caller ? nil : "\(error)"
    }
    var copy = ChunkedDecoder()
    _ = copy.account(of: wire, ends: [wire.count], closes: false)
    return copy.trailers.elementsEqual(trailers, by: ==) ? nil : "the encoded trailers are others"
  }
}
