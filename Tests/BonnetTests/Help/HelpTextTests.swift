// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct HelpTextTests {
  private static let categories = ["", "all", "category", "none"] + OptionCategory.allCases.map(\.rawValue)

  @Test(arguments: categories) func fitsTerminal(category: String) {
    let lines = HelpText.text(category).split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.filter { $0.count > 79 } == [])
  }

  @Test func fitsNarrowTerminal() {
    // Names of options cannot be broken.
    let lines = HelpText.text("all", width: 39).split(separator: "\n").filter { !$0.hasPrefix(" -") }
    #expect(lines.filter { $0.count > 39 && !$0.contains("--") } == [])
    #expect(HelpText.text("", width: 39).contains(" -s, --silent\n      Hides the progress meter and\n"))
  }

  /// The list is sorted by name: a text stands for itself.
  @Test func everyTextIsComplete() {
    for entry in OptionTable.all {
      let words = entry.help.split(separator: " ")
      #expect(words.count > 1, "\(entry.name)")
      #expect(!entry.help.hasSuffix(".") && !entry.help.contains("…"), "\(entry.name)")
      #expect(words.prefix(2) != ["The", "same"], "\(entry.name)")
    }
  }

  /// The described form of a switch changes something, unless its text says that it is only accepted.
  @Test(arguments: OptionTable.all.filter { $0.isHonoured && $0.isSwitch }.map(\.name))
  func describedFormHasEffect(name: String) throws {
    let entry = try #require(OptionTable.byName[name])
    // Basic is the usual scheme; it counts beside others.
    let usual: Set = ["basic", "proxy-basic", "disable"]
    let command = try CommandLineParser.command([entry.shownName], files: InputFile.bodyFiles)
    let hasEffect = command != Command()
    #expect(hasEffect != (entry.help.hasPrefix("Accepted;") || usual.contains(entry.name)), "\(entry.name)")
  }

  @Test func ownOptionsHaveCategory() {
    #expect(
      OptionTable.all.filter { $0.categories.contains(.bonnet) }.map(\.name) == [
        "completions", "man", "tour",
      ])
    #expect(HelpText.text("bonnet").contains("     --tour "))
  }

  @Test func wrapping() {
    #expect(TextLayout.wrapped("a bb ccc dddd", width: 6) == ["a bb", "ccc", "dddd"])
    #expect(TextLayout.wrapped("longer than it", width: 4) == ["longer", "than", "it"])
    #expect(TextLayout.entry("name", "text", column: 8, width: 40) == "name    text\n")
    #expect(TextLayout.entry("longer name", "text", column: 8, width: 40) == "longer name\n        text\n")
    #expect(TextLayout.entry("name", "text", column: 8, width: 20) == "name\n      text\n")
  }
}
