// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct VersionTextTests {
  /// Scripts look whether a protocol is in the list: of ftp only a proxy makes something.
  @Test func protocolsAreThoseOfTheProgramItself() {
    let lines = VersionText.text.split(separator: "\n")
    #expect(lines.contains { $0 == "Protocols: \(SchemeSet.web.names.sorted().joined(separator: " "))" })
  }
}
