/// An option: its names, what follows it, and what it does.
struct OptionEntry: Sendable {
  /// Its effect on the command line.
  enum Effect: Sendable {
    /// On or, as `--no-NAME`, off.
    case flag(@Sendable (inout CommandLineParser, Bool) throws(CommandError) -> Void)
    /// Cannot be taken back.
    case act(@Sendable (inout CommandLineParser) throws(CommandError) -> Void)
    /// The next word belongs to it.
    case value(@Sendable (inout CommandLineParser, String) throws(CommandError) -> Void)
  }

  let name: String
  let letter: Character?
  /// The name of its value in the help; empty without one.
  let valueName: String
  let categories: Set<OptionCategory>
  let help: String
  let effect: Effect

  /// Its value where none follows.
  var usualValue: String? { name == "help" ? "" : nil }

  /// Whether something follows it.
  var takesValue: Bool {
    if case .value = effect { true } else { false }
  }
}

extension OptionEntry {
  static func flag(
    _ name: String, _ letter: Character? = nil, _ categories: Set<OptionCategory>, _ help: String,
    _ effect: @escaping @Sendable (inout CommandLineParser, Bool) throws(CommandError) -> Void
  ) -> OptionEntry {
    OptionEntry(
      name: name, letter: letter, valueName: "", categories: categories, help: help, effect: .flag(effect))
  }

  static func act(
    _ name: String, _ letter: Character? = nil, _ categories: Set<OptionCategory>, _ help: String,
    _ effect: @escaping @Sendable (inout CommandLineParser) throws(CommandError) -> Void
  ) -> OptionEntry {
    OptionEntry(
      name: name, letter: letter, valueName: "", categories: categories, help: help, effect: .act(effect))
  }

  static func value(
    _ name: String, _ letter: Character? = nil, _ valueName: String, _ categories: Set<OptionCategory>,
    _ help: String,
    _ effect: @escaping @Sendable (inout CommandLineParser, String) throws(CommandError) -> Void
  ) -> OptionEntry {
    OptionEntry(
      name: name, letter: letter, valueName: valueName, categories: categories, help: help,
      effect: .value(effect))
  }

  /// One of curl's that cannot be honoured, and says so when it is used.
  ///
  /// - Parameter valueName: What follows it in curl's grammar; nil for nothing.
  static func refused(
    _ name: String, _ letter: Character? = nil, _ valueName: String? = nil, because reason: String
  ) -> OptionEntry {
    let refusal = CommandError(.usage, "option --\(name): \(reason)")
    guard let valueName else {
      return OptionEntry(
        name: name, letter: letter, valueName: "", categories: [], help: "",
        effect: .flag { _, isOn throws(CommandError) in if isOn { throw refusal } })
    }
    return OptionEntry(
      name: name, letter: letter, valueName: valueName, categories: [], help: "",
      effect: .value { _, _ throws(CommandError) in throw refusal })
  }

  /// Whether it works; the others are not in the help.
  var isHonoured: Bool { !categories.isEmpty }
}

/// The subjects of options, for `--help`.
enum OptionCategory: String, CaseIterable, Sendable {
  case auth
  case connection
  case curl
  case http
  case important
  case misc
  case output
  case post
  case proxy
  case tls
  case upload
  case verbose

  var title: String {
    switch self {
    case .auth: "who asks"
    case .connection: "how servers are reached"
    case .curl: "the command line itself"
    case .http: "requests and responses"
    case .important: "the most used options"
    case .misc: "everything else"
    case .output: "files that are written"
    case .post: "data that are sent"
    case .proxy: "proxies"
    case .tls: "TLS and trust"
    case .upload: "files that are sent"
    case .verbose: "messages while it runs"
    }
  }
}
