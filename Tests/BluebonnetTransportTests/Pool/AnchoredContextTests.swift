// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import Foundation
import Testing

@testable import BluebonnetTransport

/// A pool's context is as old as its anchors' files, and no failure is kept.
@Suite struct AnchoredContextTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("anchors-\(UUID()).pem")

  private func write(_ authority: CertificateAuthority) throws {
    try Data(authority.certificate.pem.utf8).write(to: file, options: .atomic)
  }

  @Test func filesAreLookedAtFromTimeToTime() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let configuration = TLSClientConfiguration(anchors: .file(file.path))
    var anchored = AnchoredContext()
    func context(at nanoseconds: UInt64) throws -> TLSContext {
      try anchored.context(
        for: configuration, at: MonotonicTime(nanoseconds: nanoseconds), interval: 100)
    }

    #expect(throws: TLSError.self) { try context(at: 1000) }
    try write(CertificateAuthority())
    // The very next connection has it.
    let first = try context(at: 1000)
    #expect(try context(at: 1099) === first)
    #expect(try context(at: 1100) === first)
    try write(CertificateAuthority())
    #expect(try context(at: 1199) === first)
    let second = try context(at: 1200)
    #expect(second !== first)
    #expect(try context(at: 1299) === second)
    try FileManager.default.removeItem(at: file)
    #expect(try context(at: 1299) === second)
    #expect(throws: TLSError.self) { try context(at: 1300) }
    // Nobody is trusted by a file that is gone.
    #expect(throws: TLSError.self) { try context(at: 1301) }
    try write(CertificateAuthority())
    #expect(try context(at: 1302) !== second)
  }
}
