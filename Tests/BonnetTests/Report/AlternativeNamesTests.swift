import Testing

@testable import bonnet

@Suite struct AlternativeNamesTests {
  private static func value(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    let length: [UInt8] =
      content.count < 0x80
      ? [UInt8(content.count)] : [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
    return [tag] + length + content
  }

  /// A certificate of which only the extensions matter.
  private static func certificate(_ names: [UInt8]...) -> [UInt8] {
    let names = value(0x04, value(0x30, Array(names.joined())))
    let critical = value(0x01, [0xFF])
    let other = value(0x30, value(0x06, [0x55, 0x1D, 0x0F]), critical, value(0x04, value(0x03, [0])))
    let extensions = value(0xA3, value(0x30, other, value(0x30, value(0x06, [0x55, 0x1D, 0x11]), names)))
    let padding = value(0x04, [UInt8](repeating: 0, count: 300))
    return value(0x30, value(0x30, value(0xA0, value(0x02, [2])), padding, extensions), value(0x30))
  }

  private static let names = AlternativeNames(
    der: certificate(
      value(0x82, Array("a.example".utf8)), value(0x82, Array("*.b.example".utf8)),
      value(0x87, [127, 0, 0, 1])))

  @Test(arguments: [
    ("A.example", "subjectAltName: host \"A.example\" matched cert's \"a.example\""),
    ("a.example.", "subjectAltName: host \"a.example.\" matched cert's \"a.example\""),
    ("x.b.example", "subjectAltName: host \"x.b.example\" matched cert's \"*.b.example\""),
    ("x.x.b.example", "subjectAltName does not match x.x.b.example"),
    ("b.example", "subjectAltName does not match b.example"),
    (".b.example", "subjectAltName does not match .b.example"),
    ("127.0.0.1", "subjectAltName: host \"127.0.0.1\" matched cert's IP address!"),
    ("127.0.0.2", "subjectAltName does not match 127.0.0.2"),
    ("::1", "subjectAltName does not match ::1"),
  ])
  func lines(host: String, line: String) {
    #expect(Self.names.line(about: host) == line)
  }

  @Test func certificatesWithoutNames() {
    #expect(AlternativeNames(der: Self.certificate()).line(about: "a.example") == nil)
    #expect(AlternativeNames(der: []).isEmpty)
  }

  /// A certificate that is cut off anywhere has no names, or some of them.
  @Test func cutOffCertificates() {
    let whole = Self.certificate(Self.value(0x82, Array("a.example".utf8)))
    for count in 0..<whole.count {
      #expect(AlternativeNames(der: Array(whole.prefix(count))).isEmpty, "\(count) bytes")
    }
  }
}
