/// All options: those that work, and those of curl's that are refused.
enum OptionTable {
  static let all: [OptionEntry] =
    [
      request, content, authentication, connection, proxy, security, output, reporting, commandLine, refused,
    ]
    .flatMap(\.self).sorted { $0.name < $1.name }

  static let byName: [String: OptionEntry] = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static let byLetter: [Character: OptionEntry] = Dictionary(
    all.compactMap { entry in entry.letter.map { ($0, entry) } }, uniquingKeysWith: { first, _ in first })
}
