// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

/// Framing fields in every spelling that has fooled somebody, in pairs: a connection is only ever kept where all
/// recipients agree on where the response ends.
@Suite struct SmugglingTests {
  @Test(arguments: [ParsingMode.strict, .tolerant, .lenient]) func onlyWhatIsPlainKeepsTheConnection(
    mode: ParsingMode
  ) {
    let planted = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    var kept = 0
    var repaired = 0
    for variant in FramingVariant.all {
      let bytes = variant.response() + planted
      let result = Subject.response(.ordinary).transcript(bytes, mode: mode)
      if result.verdict == .complete, !result.repairs.isEmpty { repaired += 1 }
      guard result.keepsConnection else { continue }
      #expect(result.repairs.isEmpty, "\(variant)")
      kept += 1
      let kinds = [variant.first.kind, variant.second.kind].filter { $0 != .neither }
      // One plain framing field, and the body it frames: nothing planted is left in front of the next response.
      #expect(kinds.count == 1 && kinds[0] != .doubtful, "\(variant)")
      if variant.isPlain {
        #expect(result.body == Array("hello".utf8))
        #expect(bytes.count - result.consumed == planted.count)
      }
    }
    #expect(FramingVariant.all.count > 9_000)
    #expect(kept > 50)
    #expect((repaired > 0) == (mode != .strict))
  }
}
