// SPDX-License-Identifier: MIT

/// Reads a command line by curl's grammar.
///
/// ```
///   word ──"--"──────────────────▶ all that follow are URLs
///     ├──"--name" ["--no-name"]──▶ entry ──takes a value──▶ the next word, whatever it looks like
///     ├──"-abc"──────────────────▶ entry a, entry b, … until one takes the rest, or the next word
///     └──anything else───────────▶ a URL
/// ```
struct CommandLineParser {
  private var command = Command()
  private var context: OptionContext
  /// The depth of nesting of the file being read.
  private var depth = 0

  private static let mostNested = 10
  private static let unknown = "is unknown"

  /// Takes a secret, as soon as it is read: what is read after it, such as standard input, may take long.
  private let hide: (String) -> Void

  private init(files: BodyFiles, hide: @escaping (String) -> Void) {
    context = OptionContext(files: files)
    self.hide = hide
  }

  /// - Parameters:
  ///   - arguments: Without the name of the program.
  ///   - usual: A file of options that is read first; nil for none.
  ///   - hide: Is told the values of `arguments` that are secrets.
  static func command(
    _ arguments: [String], usual: String? = nil, files: BodyFiles,
    hide: @escaping (String) -> Void = { _ in }
  ) throws(CommandError) -> Command {
    var parser = CommandLineParser(files: files, hide: hide)
    if let usual { try parser.readFile(usual) }
    try parser.read(arguments)
    parser.command.warnings = parser.context.warnings
    return parser.command
  }

  private mutating func read(_ arguments: [String]) throws(CommandError) {
    var rest = arguments[...]
    var takesOptions = true
    while command.question == nil, let word = rest.popFirst() {
      if !takesOptions || !word.hasPrefix("-") {
        command.operation.urls.append(word)
      } else if word == "--" {
        takesOptions = false
      } else if word.hasPrefix("--") {
        try readLong(String(word.dropFirst(2)), shown: word) { rest.popFirst() }
      } else {
        try readShort(word, &rest)
      }
    }
  }

  /// Takes a long option's name, and its value from `next` if it has one.
  ///
  /// - Parameter shown: What it is called where something is wrong with it.
  private mutating func readLong(
    _ text: String, shown: String, next: () -> String?
  ) throws(CommandError) {
    let (entry, isOn) = try Self.entry(named: text, shown: shown)
    guard isOn || entry.isSwitch else {
      throw Self.fault(shown, "is no switch that 'no-' could turn off")
    }
    try apply(entry, isOn, shown: shown, next: next)
  }

  private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandError) {
    var letters = word.dropFirst()
    guard !letters.isEmpty else { throw Self.fault("-", Self.unknown) }
    while let letter = letters.popFirst() {
      let shown = "-\(letter)"
      guard let entry = OptionTable.byLetter[letter] else { throw Self.fault(shown, Self.unknown) }
      try apply(entry, true, shown: shown) {
        if letters.isEmpty { return rest.popFirst() }
        defer { letters = "" }
        return String(letters)
      }
    }
  }

  /// Applies an option, and says which one it was if something is wrong with it.
  private mutating func apply(
    _ entry: OptionEntry<Command>, _ isOn: Bool, shown: String, next: () -> String?
  ) throws(CommandError) {
    let value = entry.takesValue ? next() ?? entry.usualValue : ""
    guard let value else { throw Self.fault(shown, "a value must follow it") }
    // A file of options stands in no list of processes.
    if depth == 0, ProcessArguments.secretOptions.contains(entry.name) { hide(value) }
    do throws(CommandError) {
      switch entry.effect {
      case .flag(let effect): try effect(&command, isOn)
      case .act(let effect): try effect(&command)
      case .value(let effect): try effect(&command, value, &context)
      case .optionsFile: try readFile(value)
      case .nextOperation: try beginOperation()
      }
    } catch {
      guard error.status == .usage || error.status == .readFailed, !error.message.hasPrefix("option ") else {
        throw error
      }
      throw CommandError(error.status, "option \(shown): \(error.message)")
    }
  }

  /// The entry of this name, or the only one that begins so; with `no-` before it, turned off.
  private static func entry(named text: String, shown: String) throws(CommandError) -> (
    OptionEntry<Command>, Bool
  ) {
    let isOn = !text.hasPrefix("no-")
    let name = isOn ? text : String(text.dropFirst(3))
    if let entry = OptionTable.byName[name] { return (entry, isOn) }
    let candidates = OptionTable.all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    guard let first = candidates.first else { throw fault(shown, unknown) }
    guard candidates.count == 1 else { throw fault(shown, "is ambiguous") }
    return (first, isOn)
  }

  private static func fault(_ shown: String, _ what: String) -> CommandError {
    CommandError(.usage, "option \(shown): \(what)")
  }

  /// `--next`: what follows is an operation of its own.
  private mutating func beginOperation() throws(CommandError) {
    guard !command.operation.urls.isEmpty else {
      // At the beginning of a file it separates it from the options before.
      if depth > 0 { return }
      throw CommandError(.usage, "there is no URL before it")
    }
    command.operations.append(Operation())
  }

  /// `-K`: options of a file.
  private mutating func readFile(_ path: String) throws(CommandError) {
    guard depth < Self.mostNested else {
      throw CommandError(.usage, "files of options are nested more than \(Self.mostNested) deep")
    }
    let text = ByteText.text(try context.files.read(path))
    depth += 1
    for line in try ConfigFile.lines(text, path: path) {
      var value = line.value
      let shown = "\(path):\(line.number): \(line.name)"
      do throws(CommandError) {
        try readLine(line.name, shown: shown) { value.take() }
      } catch  where error.message.hasSuffix(Self.unknown) {
        context.warn(error.message)
        continue
      }
      if let value, !ConfigFile.Line.isRemark(value) {
        throw CommandError(.usage, "option \(shown): takes no value")
      }
    }
    depth -= 1
  }

  private mutating func readLine(
    _ name: String, shown: String, next: () -> String?
  ) throws(CommandError) {
    guard name.hasPrefix("-"), !name.hasPrefix("--") else {
      let name = name.hasPrefix("--") ? String(name.dropFirst(2)) : name
      return try readLong(name, shown: shown, next: next)
    }
    // Short ones may have their value attached.
    var rest: ArraySlice<String> = []
    if let value = next() { rest = [value] }
    try readShort(name, &rest)
    if let value = rest.first, !ConfigFile.Line.isRemark(value) {
      throw CommandError(.usage, "option \(shown): takes no value")
    }
  }
}
