import Testing

@testable import bonnet

@Suite struct CommandLineWordsTests {
  @Test(arguments: [
    (["-sSLofile", "url"], ["-s", "-S", "-L", "-o", "file", "url"]),
    (["-da=b", "-XPOST"], ["-d", "a=b", "-X", "POST"]),
    (["-d", "-sS", "-H", "--data"], ["-d", "-sS", "-H", "--data"]),
    (["--data", "-sS", "-kf"], ["--data", "-sS", "-k", "-f"]),
    (["-o", "-", "--", "-sS"], ["-o", "-", "--", "-sS"]),
    (["-sZ", "-", "--silent"], ["-sZ", "-", "--silent"]),
    (["-o"], ["-o"]), ([], []),
  ])
  func separating(words: [String], separated: [String]) {
    #expect(CommandLineWords.separated(words) == separated)
  }

  /// The letters here have to be those of the parser.
  @Test(arguments: ["GILkivsSfO".map { "-\($0)" }, "XHdFuAebrow".map { "-\($0)a=1" }, ["-m1"]])
  func everyLetterIsAnOption(words: [String]) throws {
    for word in words {
      #expect(throws: Never.self, "\(word)") { try Options.parse(CommandLineWords.separated([word, "url"])) }
    }
  }
}
