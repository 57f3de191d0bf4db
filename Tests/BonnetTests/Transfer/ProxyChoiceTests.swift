// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

/// What a proxy is sent besides.
@Suite struct ProxyChoiceTests {
  private func fields(_ arguments: String...) throws -> [String: String]? {
    let command = try CommandLineParser.command(
      ["-x", "p", "http://a/"] + arguments, files: InputFile.bodyFiles)
    return try ProxyChoice(command.operation, address: RequestAddress("http://a/")) { _ in nil }?.fields
  }

  @Test func linesOfOneNameAreAList() throws {
    #expect(
      try fields("--proxy-header", "X-A: 1", "--proxy-header", "x-a: 2", "--proxy-header", "X-A:")
        == ["Proxy-Connection": "Keep-Alive", "X-A": "1, 2"])
    #expect(
      try fields("--proxy-header", "proxy-connection: a", "--proxy-header", "Proxy-Connection: b")
        == ["proxy-connection": "a, b"])
    #expect(try fields("--proxy-header", "Proxy-Connection:") == [:])
  }

  @Test func thereIsOneHost() throws {
    #expect(
      try fields("--proxy-header", "Host: b", "--proxy-header", "host: c")
        == ["Proxy-Connection": "Keep-Alive", "Host": "b"])
  }
}
