// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80"),
    ("255.254.0.9", "255.254.0.9:80"),
    ("::1", "[::1]:80"),
    ("2001:DB8:0:0:0:0:0:1", "[2001:db8::1]:80"),
    ("::ffff:1.2.3.4", "[::ffff:1.2.3.4]:80"),
    ("fe80::1%7", "[fe80::1%7]:80"),
    ("fe80::1%lo", "[fe80::1%1]:80"),
  ])
  func literals(text: String, description: String) throws {
    let address = try #require(SocketAddress(literal: text, port: 80))
    #expect(address.description == description)
    #expect(address.port == 80)
    #expect(SocketAddress(literal: address.host, port: 80) == address)
  }

  @Test(arguments: [
    "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "127.1", " 127.0.0.1", "[::1]", ":::",
    "::1%",
    "::1%no-such-interface", "1.2.3.4%1",
  ])
  func notLiterals(text: String) {
    #expect(SocketAddress(literal: text, port: 80) == nil)
  }

  @Test(arguments: ["", String(repeating: "x", count: 108), "nul\0inside"])
  func refusedPaths(path: String) {
    #expect(SocketAddress(unixPath: path) == nil)
  }

  @Test(arguments: [
    SocketAddress.loopback(port: 65_535), .loopback6(port: 1),
    SocketAddress(.ipv6(high: 0xFE80_0000_0000_0000, low: 0x0102_0304_0506_0708, scope: 3, port: 443)),
    SocketAddress(.unix(path: "/tmp/some where")),
    SocketAddress(.unix(path: String(repeating: "x", count: 107))),
  ])
  func roundTripsThroughTheKernelForm(address: SocketAddress) {
    let back = address.withSockAddr { pointer, length in
      SocketAddress(kernelBytes: UnsafeRawBufferPointer(start: pointer, count: Int(length)))
    }
    #expect(back == address)
  }

  @Test(arguments: 0..<8)
  func truncatedKernelFormIsRefused(count: Int) {
    let back = SocketAddress.loopback(port: 1).withSockAddr { pointer, _ in
      SocketAddress(kernelBytes: UnsafeRawBufferPointer(start: pointer, count: count))
    }
    #expect(back == nil)
  }

  @Test func portCanBeSet() {
    var address = SocketAddress.loopback6(port: 1)
    address.port = 2
    #expect(address == .loopback6(port: 2))
  }
}
