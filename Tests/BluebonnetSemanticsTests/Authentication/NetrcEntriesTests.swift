// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct NetrcEntriesTests {
  private func entries(_ file: String) throws -> NetrcEntries {
    try NetrcEntries(Array(file.utf8)) { host in
      struct NoHost: Error {}
      if host.contains("!") { throw NoHost() }
      return host.lowercased()
    }
  }

  /// `login:password` of what is found, with `-` for what is missing.
  private func found(_ file: String, _ host: String = "a.test", user: String? = nil) throws -> String? {
    try entries(file).entry(for: host, user: user.map { Array($0.utf8) }).map { entry in
      [entry.login, entry.password].map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "-" }
        .joined(separator: ":")
    }
  }

  @Test(arguments: [
    "machine a.test login me password secret", "machine a.test password secret login me",
    "machine\ta.test\n\tlogin\tme\n\tpassword\tsecret\n", "MACHINE A.Test LOGIN me PASSWORD secret",
    "machine a.test\r\nlogin me\r\npassword secret\r\n", "machine a.test user me passwd secret account x",
    "machine b.test login other password wrong machine a.test login me password secret",
    "machine a.test account machine login me password secret",
    "machine a.test port 8080 login me password secret",
    "# machine a.test login x password y\nmachine a.test # a remark\nlogin me password secret # the end",
    "macdef init\nmachine a.test login x password y\n\nmachine a.test login me password secret",
    "machine b.test macdef init\nmachine a.test login x\n\r\nmachine a.test login me password secret",
    "login nobody password nothing\nmachine a.test login me password secret",
    "machine \"a.test\" login \"me\" password \"secret\"",
    "default login me password secret", "machine b.test default login me password secret",
    "machine a.test login me password secret default login x password y",
    "machine a.test login me password secret machine a.test login x password y",
    "machine a.test machine a.test login me password secret",
  ])
  func theEntryOfAMachineIsFound(_ file: String) throws {
    #expect(try found(file) == "me:secret")
  }

  @Test(arguments: [
    "", "\n", "machine b.test login me password secret", "machine", "login me password secret",
    "macdef init\nmachine a.test login me password secret", "machine ! login me password secret",
    "machine \"\" login me password secret", "\"machine\" a.test login me password secret",
    "machine sub.a.test login me password secret", "machine test login me password secret",
    "#machine a.test login me password secret", "machine a.test",
  ])
  func othersHaveNone(_ file: String) throws {
    guard file != "machine" else {
      #expect(throws: NetrcEntries.Fault.missingWord(after: "machine", line: 1)) { try entries(file) }
      return
    }
    #expect(try found(file) == nil)
  }

  /// An entry that lacks a word does not take the next one's.
  @Test(arguments: [
    "machine a.test login me password\nmachine b.test login x password y",
    "machine a.test login me password \r\nMACDEF init\nx\n\nmachine b.test login x password y",
    "machine a.test login me account\n\n# b\nmachine b.test login x password y",
  ])
  func noWordIsTakenFromTheNextEntry(_ file: String) throws {
    #expect(try found(file) == "me:-")
    #expect(try found(file, "b.test") == "x:y")
    #expect(try found("machine\nmachine b.test login x password y", "b.test") == "x:y")
  }

  @Test(
    arguments: [
      ("machine a.test login a password x machine a.test login b password y", "b", "b:y"),
      ("machine a.test login a password x machine a.test login b password y", "a", "a:x"),
      ("machine a.test login a password x", "b", nil), ("machine a.test login a password x", "A", nil),
      ("machine a.test password x", "b", "-:x"), ("machine a.test login b", "b", nil),
      ("machine a.test login b machine a.test login b password y", "b", "b:y"),
      ("machine a.test login a password x default login b password y", "b", "b:y"),
      ("machine a.test login \"\" password x", "", ":x"),
    ] as [(String, String, String?)])
  func aNameThatIsKnownSelectsTheEntry(_ file: String, _ user: String, _ expected: String?) throws {
    #expect(try found(file, user: user) == expected)
  }

  /// A password goes to the machine beside which it stands.
  @Test func whatIsMissingIsNotTakenFromAnotherEntry() throws {
    #expect(try found("machine a.test login me machine b.test password secret") == "me:-")
    #expect(try found("machine a.test password secret machine b.test login me") == "-:secret")
    #expect(try found("machine a.test login me default password secret") == "me:-")
  }

  @Test(arguments: [
    (#""two words""#, "two words"), (#""a\"b""#, #"a"b"#), (#""a\\b""#, #"a\b"#),
    (#""a\n\r\tb""#, "a\n\r\tb"),
    (#""a\xb""#, "axb"), (##""#no remark""##, "#no remark"), (##"pass#word"##, "pass#word"),
    (##"#word"##, "#word"),
    (#"a\"b"#, #"a\"b"#),
    (#""""#, ""), (#"quo"te"#, #"quo"te"#), ("machine", "machine"), ("\u{E4}\u{F6}", "\u{E4}\u{F6}"),
    (#""login" "#, "login"),
  ])
  func wordsAreReadAsCurlReadsThem(_ word: String, _ expected: String) throws {
    #expect(try found("machine a.test login me password \(word)") == "me:\(expected)")
    #expect(try found("machine a.test password \(word) login me") == "me:\(expected)")
  }

  @Test func bytesStayWhatTheyAre() throws {
    let file = Array("machine a.test login m\u{E4} password ".utf8) + [0xFF, 0x80]
    let entry = try #require(try NetrcEntries(file) { $0 }.entry(for: "a.test"))
    #expect(entry.password == [0xFF, 0x80])
  }

  @Test func faultsNameTheirLine() throws {
    #expect(throws: NetrcEntries.Fault.unterminatedQuote(line: 2)) {
      try entries("machine a.test\nlogin \"me\npassword secret")
    }
    #expect(throws: NetrcEntries.Fault.unterminatedQuote(line: 1)) {
      try entries(#"machine a.test login "me\"#)
    }
    #expect(throws: NetrcEntries.Fault.missingWord(after: "password", line: 3)) {
      try entries("machine a.test\n\nPassword")
    }
    #expect(throws: NetrcEntries.Fault.missingWord(after: "machine", line: 4)) {
      try entries("macdef x\ny\n\nmachine # none")
    }
  }
}
