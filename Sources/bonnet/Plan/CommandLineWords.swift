/// Takes clusters of short options apart as curl does, so that `-sSLofile` and `-da=b` mean what they do there.
enum CommandLineWords {
  private static let flags = Set("GILkivsSfO")
  private static let optionsWithValue = Set("XHdFuAebrmow")
  private static let longOptionsWithValue: Set<String> = [
    "--request", "--header", "--data", "--data-raw", "--data-binary", "--json", "--form", "--user",
    "--user-agent",
    "--referer", "--cookie", "--range", "--max-redirs", "--cacert", "--max-time", "--connect-timeout",
    "--unix-socket", "--output", "--write-out",
  ]

  static func separated(_ words: [String]) -> [String] {
    var separated: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" { return separated + [word] + rest }
      let isCluster = word.count > 1 && word.hasPrefix("-") && !word.hasPrefix("--")
      let options =
        (isCluster ? cluster(word) : nil)
        ?? Options(words: [word], wantsValue: longOptionsWithValue.contains(word))
      separated += options.words
      // What follows an option is its value, whatever it looks like.
      if options.wantsValue, let value = rest.popFirst() { separated.append(value) }
    }
    return separated
  }

  private struct Options {
    var words: [String] = []
    var wantsValue = false
  }

  /// Nil if there is a letter that is no option; that is for the parser to say.
  private static func cluster(_ word: String) -> Options? {
    var options = Options()
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      options.words.append("-\(letter)")
      if optionsWithValue.contains(letter) {
        if letters.isEmpty { options.wantsValue = true } else { options.words.append(String(letters)) }
        return options
      }
      guard flags.contains(letter) else { return nil }
    }
    return options
  }
}
