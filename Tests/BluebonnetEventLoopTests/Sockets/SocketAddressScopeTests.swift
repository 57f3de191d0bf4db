// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct SocketAddressScopeTests {
  @Test(arguments: [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::",
    "::1",
    "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
    "64:ff9b::10.0.0.1", "2002:0a00:0001::1", "2001:db8::1", "2001::1", "::127.0.0.1", "100::1",
    "64:ff9b:1::1",
    "4000::1",
  ])
  func isNotGlobal(_ text: String) throws {
    #expect(try !#require(SocketAddress(literal: text, port: 80)).isGlobal)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
    "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0",
    "198.17.0.1",
    "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888", "::ffff:1.1.1.1",
    "64:ff9b::1.1.1.1", "2002:0101:0101::1",
  ])
  func isGlobal(_ text: String) throws {
    #expect(try #require(SocketAddress(literal: text, port: 80)).isGlobal)
  }

  @Test func aPathIsOfThisMachine() throws {
    #expect(try !#require(SocketAddress(unixPath: "/tmp/x")).isGlobal)
  }
}
