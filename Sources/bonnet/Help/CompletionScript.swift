// SPDX-License-Identifier: MIT

/// A shell that completes words of the command line.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

/// The text of `--completions`.
enum CompletionScript {
  static func text(for shell: Shell) -> String {
    let script =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return "\(script)\n"
  }

  private static let entries = OptionTable.all.filter(\.isHonoured)

  // MARK: bash

  private static var bash: String {
    let values = Dictionary(grouping: entries.filter(\.takesValue), by: { Completion(of: $0) })
    let cases = Completion.allKinds.compactMap { completion in
      values[completion].map {
        "    \(bashPattern($0)))\n      \(bashAnswer(completion))\n      return\n      ;;\n"
      }
    }
    let names = entries.flatMap { [$0.shownName] + ($0.letter.map { ["-\($0)"] } ?? []) }
    return """
      # Completion for bonnet in bash: source it, or put it into a directory of bash-completion.
      _bonnet() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=
        COMPREPLY=()
        ((COMP_CWORD == 0)) || previous=${COMP_WORDS[COMP_CWORD - 1]}
        case $previous in
      \(cases.joined())  esac
        if [[ $word == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- "$word")
        fi
      }
      complete -F _bonnet bonnet
      """
  }

  private static func bashPattern(_ entries: [OptionEntry<Command>]) -> String {
    entries.flatMap { ["--\($0.name)"] + ($0.letter.map { ["-\($0)"] } ?? []) }.joined(separator: " | ")
  }

  private static func bashAnswer(_ completion: Completion) -> String {
    func generated(_ action: String) -> String {
      "mapfile -t COMPREPLY < <(compgen \(action) -- \"$word\")"
    }
    return switch completion {
    case .files: "compopt -o filenames 2>/dev/null\n      " + generated("-f")
    case .directories: "compopt -o filenames 2>/dev/null\n      " + generated("-d")
    case .words(let words): generated("-W '\(words.joined(separator: " "))'")
    case .anything: ":"
    }
  }

  // MARK: zsh

  private static var zsh: String {
    """
    #compdef bonnet
    # Completion for bonnet in zsh: put it into a directory of $fpath, as _bonnet.
    _bonnet() {
      _arguments -s \\
    \(entries.map { "    \(zshSpecification($0)) \\\n" }.joined())    '*:URL:_urls'
    }
    if [[ $funcstack[1] == _bonnet ]]; then
      _bonnet "$@"
    else
      compdef _bonnet bonnet
    fi
    """
  }

  private static func zshSpecification(_ entry: OptionEntry<Command>) -> String {
    func plain(_ text: String) -> String {
      let marks: Set<Character> = ["[", "]", ":", "\\"]
      let escaped = text.map { marks.contains($0) ? "\\\($0)" : String($0) }.joined()
      return escaped.replacing("'", with: "'\\''")
    }
    let names = entry.letter.map { "'-\($0 == ":" ? "\\:" : String($0))',\(entry.shownName)" }
    let name = names.map { "{\($0)}" } ?? entry.shownName
    var text = "[\(plain(entry.help))]"
    if entry.takesValue {
      let action =
        switch Completion(of: entry) {
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .anything: " "
        }
      text += ":\(plain(entry.valueName)):\(action)"
    }
    return "'*'\(name)'\(text)'"
  }

  // MARK: fish

  private static var fish: String {
    let lines = entries.map { entry in
      var line = "complete -c bonnet"
      if let letter = entry.letter { line += " -s '\(letter)'" }
      line += " -l \(entry.shownName.dropFirst(2))"
      if entry.takesValue {
        switch Completion(of: entry) {
        case .files: line += " -r -F"
        case .directories: line += " -x -a '(__fish_complete_directories)'"
        case .words(let words): line += " -x -a '\(words.joined(separator: " "))'"
        case .anything: line += " -x"
        }
      }
      return line + " -d '\(entry.help.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
    return """
      # Completion for bonnet in fish: put it into ~/.config/fish/completions, as bonnet.fish.
      complete -c bonnet -f
      \(lines.joined(separator: "\n"))
      """
  }
}

/// The values of an option that a shell can propose.
enum Completion: Hashable {
  case files
  case directories
  case words([String])
  case anything

  init(of entry: OptionEntry<Command>) {
    self =
      switch (entry.name, entry.valueName) {
      case ("help", _): .words(["all", "category"] + OptionCategory.allCases.map(\.rawValue))
      case ("completions", _): .words(Shell.allCases.map(\.rawValue))
      case ("tls-max", _): .words(["default", "1.2", "1.3"])
      case ("cert-type", _): .words(["PEM", "DER", "P12"])
      case ("key-type", _): .words(["PEM", "DER", "ENG"])
      case ("request", _): .words(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      case (_, "directory"): .directories
      case ("cert", _), ("key", _), ("cookie", _), (_, "file"), (_, "path"): .files
      default: .anything
      }
  }

  /// Every kind that an option has, in a fixed order.
  static var allKinds: [Completion] {
    OptionTable.all.filter { $0.isHonoured && $0.takesValue }.reduce(into: []) { kinds, entry in
      let kind = Completion(of: entry)
      if !kinds.contains(kind) { kinds.append(kind) }
    }
  }
}
