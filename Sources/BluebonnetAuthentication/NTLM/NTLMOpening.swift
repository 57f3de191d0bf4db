// SPDX-License-Identifier: MIT

/// The first message, which says what this side can do (NEGOTIATE_MESSAGE, MS-NLMP §2.2.1.1).
enum NTLMOpening {
  static let bytes: [UInt8] = {
    var writer = NTLMWriter(type: 1, payloadStart: 40)
    writer.number(NTLMFlags.offered.rawValue)
    // Neither domain nor workstation is told before it is asked for.
    for _ in 0..<2 {
      writer.number(0)
      writer.number(40)
    }
    writer.version()
    return writer.finish()
  }()
}
