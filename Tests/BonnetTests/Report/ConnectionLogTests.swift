// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@testable import bonnet

/// The lines of `-v` about connections.
@Suite final class ConnectionLogTests {
  private let path = "/tmp/bonnet-trace-\(getpid())-\(UInt32.random(in: .min ... .max))"

  deinit { unlink(path) }

  /// The lines of `-v` but for heads and bodies; times are `N`.
  private func lines(_ arguments: String...) async throws -> [String] {
    _ = try await TransferProbe.facts(["--trace-ascii", path, "-o", "/dev/null"] + arguments)
    let mark = "== Info: "
    return String(decoding: try InputFile.read(path), as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix(mark) }
      .map { String($0.dropFirst(mark.count)).replacing(#/after \d+ m/#, with: "after N m") }
  }

  @Test func refusedAddressIsNamed() async throws {
    let port = try ClosedPort()
    #expect(
      try await lines("http://127.0.0.1:\(port.number)/") == [
        "  Trying 127.0.0.1:\(port.number)...",
        "connect to 127.0.0.1 port \(port.number) failed: Connection refused",
        "Failed to connect to 127.0.0.1 port \(port.number) after N ms: Couldn't connect to server",
      ])
  }

  @Test func everyRefusedAddressIsNamed() async throws {
    let port = try ClosedPort()
    #expect(
      try await lines("--resolve", "a.b:\(port.number):127.0.0.1,127.0.0.1", "http://a.b:\(port.number)/")
        .first
        == "  Trying 127.0.0.1:\(port.number)...")
    let told = try await lines("http://localhost:\(port.number)/")
    #expect(told.contains { $0.hasPrefix("connect to ::1 port \(port.number) failed: ") })
    #expect(told.contains("connect to 127.0.0.1 port \(port.number) failed: Connection refused"))
  }

  @Test func refusingProxyIsNamed() async throws {
    let port = try ClosedPort()
    #expect(
      try await lines("-x", "http://127.0.0.1:\(port.number)", "http://a.example/") == [
        "  Trying 127.0.0.1:\(port.number)...",
        "connect to 127.0.0.1 port \(port.number) failed: Connection refused",
        "Failed to connect to 127.0.0.1 port \(port.number) after N ms: Couldn't connect to server",
      ])
  }

  @Test func hostWithoutAddressIsNamed() async throws {
    // Without a lookup: no address of the family is stated.
    #expect(
      try await lines("-6", "--resolve", "a.example:80:127.0.0.1", "http://a.example/") == [
        "Could not resolve host: a.example"
      ])
  }

  @Test func missingSocketIsNamed() async throws {
    #expect(
      try await lines("--unix-socket", path + ".none", "http://a.example/") == [
        "  Trying \(path).none...", "connect to \(path).none failed: No such file or directory",
        "Failed to connect to a.example port 80 after N ms: Couldn't connect to server",
      ])
  }

  @Test func connectionsComeBeforeRequests() async throws {
    let origin = try Origin.start()
    let place = "127.0.0.1:\(origin.port)"
    #expect(
      try await lines("http://\(place)/ip") == [
        "  Trying \(place)...", "Connected to 127.0.0.1 (127.0.0.1) port \(origin.port)",
        "The response from 127.0.0.1 is complete",
      ])
    #expect(
      try await lines("--http2", "http://\(place)/ip")[2] == "HTTP/2 is not supported, using HTTP/1.1")
    #expect(origin.requests.last?.fields.contains { $0.name == "Upgrade" } == false)
    #expect(
      try await lines("-L", "http://\(place)/redirect/1").filter { $0.hasPrefix("Re-using") } == [
        "Re-using existing connection with host 127.0.0.1"
      ])
  }

  @Test func failureOfServerIsTold() async throws {
    let origin = try Origin.start()
    origin.script("/none", .close)
    let told = try await lines("http://127.0.0.1:\(origin.port)/none")
    #expect(told.last?.hasSuffix("the server closed the connection.") == true)
    #expect(told.filter { $0.hasPrefix("Connected") }.count == told.filter { $0.hasPrefix("  Trying") }.count)
  }

  @Test func certificateComesBehindConnection() async throws {
    let origin = try Origin.start(security: .tls)
    let authority = path + ".pem"
    defer { unlink(authority) }
    var file = OutputFile(.path(authority))
    try file.write(origin.authority ?? "")
    try file.close()
    let told = try await lines("--http2", "--cacert", authority, "https://127.0.0.1:\(origin.port)/ip")
    let marks = [
      "  Trying 127.0.0.1:", "Connected to 127.0.0.1 (127.0.0.1) port ", "ALPN: offers http/1.1",
      "SSL connection using TLSv1.3 / TLS_", "ALPN: server accepted http/1.1", "Server certificate:",
      " subject: ", " start date: ",
      " expire date: ", " subjectAltName: host \"127.0.0.1\" matched cert's IP address!", " issuer: ",
      " SSL certificate verify ok.", "HTTP/2 is not supported, using HTTP/1.1",
      "The response from 127.0.0.1 is complete",
    ]
    #expect(told.count == marks.count)
    for (line, mark) in zip(told, marks) { #expect(line.hasPrefix(mark)) }

    let named = try await lines("--cacert", authority, "https://localhost:\(origin.port)/ip")
    #expect(named.contains(" subjectAltName: host \"localhost\" matched cert's \"localhost\""))
    let other = try await lines(
      "--cacert", authority, "--resolve", "a.example:\(origin.port):127.0.0.1",
      "https://a.example:\(origin.port)/ip")
    #expect(other.contains(" subjectAltName does not match a.example"))
    #expect(
      other.last == "SSL: no alternative certificate subject name matches target host name 'a.example'")
    #expect(other.contains("Connected to a.example (127.0.0.1) port \(origin.port)"))
    let untrusted = try await lines("https://127.0.0.1:\(origin.port)/ip")
    #expect(untrusted.last?.hasPrefix("SSL certificate problem: ") == true)
    let pinned = try await lines(
      "--cacert", authority, "--pinnedpubkey", "sha256//" + String(repeating: "A", count: 43) + "=",
      "https://127.0.0.1:\(origin.port)/ip")
    #expect(pinned.dropLast().last == " SSL certificate verify ok.")
    #expect(pinned.last == "the key of 127.0.0.1 is none of those that --pinnedpubkey names")
    let unchecked = try await lines("-k", "--no-alpn", "https://127.0.0.1:\(origin.port)/ip")
    #expect(!unchecked.contains { $0.hasPrefix("ALPN") || $0.contains("subjectAltName") })
    #expect(unchecked.contains { $0.hasSuffix(", continuing anyway.") })
  }

  /// `-w` knows what the server has shown, and what speaks against it.
  @Test func certificatesAreVariables() async throws {
    let origin = try Origin.start(security: .tls)
    let url = "https://127.0.0.1:\(origin.port)/ip"
    func variables(_ arguments: String...) async throws -> (code: String?, certificates: String) {
      let facts = try await TransferProbe.facts(["-o", "/dev/null"] + arguments)
      let variables = facts.variables(typed: "", number: 0)
      let certificates = try #require(variables.text(of: "certs"))
      #expect(
        variables.text(of: "num_certs") == "\(certificates.ranges(of: "-----BEGIN CERTIFICATE-----").count)")
      return (variables.text(of: "ssl_verify_result"), certificates)
    }
    let shown = try await variables("-k", url)
    #expect(shown.certificates.hasPrefix("Subject:"))
    #expect(shown.certificates.hasSuffix("-----END CERTIFICATE-----\n"))
    // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    #expect(shown.code == "20")
    #expect(try await variables(url) == shown)
    let plain = try Origin.start()
    #expect(try await variables(plain.baseURL + "/ip") == ("0", ""))
  }

  // MARK: Values

  /// A name has the address that answers behind one that does not.
  @Test func addressesBeforeTheOneThatAnswers() async throws {
    let origin = try Origin.start()
    let told = try await lines("http://localhost:\(origin.port)/ip")
    #expect(told.first == "  Trying [::1]:\(origin.port)...")
    #expect(told.contains { $0.hasPrefix("connect to ::1 port \(origin.port) failed: ") })
    #expect(told.contains("Connected to localhost (127.0.0.1) port \(origin.port)"))
  }

  @Test func families() {
    var route = ConnectionRoute(host: "localhost", port: 80)
    #expect(route.knownAddresses == ["::1", "127.0.0.1"])
    route.family = .four
    #expect(route.knownAddresses == ["127.0.0.1"])
    #expect(ConnectionRoute(host: "127.1", port: 80).knownAddresses == ["127.0.0.1"])
    #expect(ConnectionRoute(host: "a1.example", port: 80).knownAddresses == nil)
  }
}
