// SPDX-License-Identifier: MIT

/// Protocol names as ALPN sends them: each behind its length (RFC 7301 §3.1).
struct ProtocolList: Sendable, Hashable {
  let bytes: [UInt8]

  init(_ names: [String]) throws(TLSError) {
    var bytes: [UInt8] = []
    for name in names {
      guard let count = UInt8(exactly: name.utf8.count), count > 0 else {
        throw TLSError(.invalidConfiguration, reason: "an application protocol needs 1 to 255 bytes")
      }
      bytes.append(count)
      bytes.append(contentsOf: name.utf8)
    }
    self.bytes = bytes
  }
}
