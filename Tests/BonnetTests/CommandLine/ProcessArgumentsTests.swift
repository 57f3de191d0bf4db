// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import bonnet

/// What other users of the machine do not see in the list of processes.
@Suite struct ProcessArgumentsTests {
  private func hidden(_ arguments: [String]) throws -> [String] {
    let words = try arguments.map { try #require(strdup($0)) }
    defer { for word in words { free(word) } }
    _ = try CommandLineParser.command(arguments, files: InputFile.bodyFiles) {
      ProcessArguments.hide($0, in: words)
    }
    return words.map { String(cString: $0) }
  }

  @Test(arguments: [
    (["-u", "me:secret", "http://a/"], ["-u", "         ", "http://a/"]),
    (["--user", "me:secret", "http://a/"], ["--user", "         ", "http://a/"]),
    (["-ume:secret", "http://a/"], ["-u         ", "http://a/"]),
    (["-sSUme:secret", "http://a/"], ["-sSU         ", "http://a/"]),
    (
      ["--proxy-user", "m:s", "--pass", "word", "-E", "c:p", "http://a/"],
      ["--proxy-user", "   ", "--pass", "    ", "-E", "   ", "http://a/"]
    ),
    (["--oauth2-bearer", "t0ken", "http://a/"], ["--oauth2-bearer", "     ", "http://a/"]),
    // Not of one letter, and not of none.
    (["--user", "", "http://a/"], ["--user", "", "http://a/"]),
    (["-u", "r", "--referer", "x", "http://a/r"], ["-u", " ", "--referer", "x", "http://a/r"]),
    (["-A", "agent", "http://a/"], ["-A", "agent", "http://a/"]),
  ])
  func secretsAreBlank(_ arguments: [String], _ shown: [String]) throws {
    #expect(try hidden(arguments) == shown)
  }
}
