// SPDX-License-Identifier: MIT

/// An option: its names, the word behind it, and its effect on the options that it is one of.
struct OptionEntry<Options>: Sendable {
  enum Effect: Sendable {
    /// On or, as `--no-NAME`, off.
    case flag(@Sendable (inout Options, Bool) throws(CommandError) -> Void)
    /// Cannot be taken back.
    case act(@Sendable (inout Options) throws(CommandError) -> Void)
    /// The next word belongs to it.
    case value(@Sendable (inout Options, String, inout OptionContext) throws(CommandError) -> Void)
    /// The next word names a file of options.
    case optionsFile
    /// The options behind it are those of another operation.
    case nextOperation
  }

  let name: String
  var letter: Character?
  /// The name of its value in the help; empty without one.
  var valueName = ""
  /// Whether the help describes `--no-NAME`: the option is on by default.
  var isShownOff = false
  let categories: Set<OptionCategory>
  let help: String
  let effect: Effect

  /// Its value where none follows.
  var usualValue: String? { name == "help" ? "" : nil }

  /// Whether something follows it.
  var takesValue: Bool {
    switch effect {
    case .value, .optionsFile: true
    case .flag, .act, .nextOperation: false
    }
  }

  /// Whether it can be turned off.
  var isSwitch: Bool {
    if case .flag = effect { true } else { false }
  }

  /// Whether it works; the others are not in the help, and `help` is the reason for it.
  var isHonoured: Bool { !categories.isEmpty }

  /// The long option that the help describes, with its hyphens.
  var shownName: String { isShownOff ? "--no-\(name)" : "--\(name)" }

  /// The same option, on by default: the help describes how to turn it off.
  var shownOff: OptionEntry {
    var entry = self
    entry.isShownOff = true
    return entry
  }

  /// The same option, as one of a value that contains these options.
  func lifted<Whole>(to part: any WritableKeyPath<Whole, Options> & Sendable) -> OptionEntry<Whole> {
    let effect: OptionEntry<Whole>.Effect =
      switch effect {
      case .flag(let effect):
        .flag { whole, isOn throws(CommandError) in try effect(&whole[keyPath: part], isOn) }
      case .act(let effect): .act { whole throws(CommandError) in try effect(&whole[keyPath: part]) }
      case .value(let effect):
        .value { whole, text, context throws(CommandError) in
          try effect(&whole[keyPath: part], text, &context)
        }
      case .optionsFile: .optionsFile
      case .nextOperation: .nextOperation
      }
    return OptionEntry<Whole>(
      name: name, letter: letter, valueName: valueName, isShownOff: isShownOff, categories: categories,
      help: help, effect: effect)
  }
}

extension OptionEntry {
  static func flag(
    _ name: String, _ letter: Character? = nil, _ categories: Set<OptionCategory>, _ help: String,
    _ effect: @escaping @Sendable (inout Options, Bool) throws(CommandError) -> Void
  ) -> OptionEntry {
    OptionEntry(name: name, letter: letter, categories: categories, help: help, effect: .flag(effect))
  }

  static func flag(
    _ name: String, _ letter: Character? = nil, _ categories: Set<OptionCategory>, _ help: String,
    sets field: any WritableKeyPath<Options, Bool> & Sendable
  ) -> OptionEntry {
    flag(name, letter, categories, help) { $0[keyPath: field] = $1 }
  }

  static func act(
    _ name: String, _ letter: Character? = nil, _ categories: Set<OptionCategory>, _ help: String,
    _ effect: @escaping @Sendable (inout Options) throws(CommandError) -> Void
  ) -> OptionEntry {
    OptionEntry(name: name, letter: letter, categories: categories, help: help, effect: .act(effect))
  }

  static func value(
    _ name: String, _ letter: Character? = nil, _ valueName: String, _ categories: Set<OptionCategory>,
    _ help: String, _ effect: @escaping @Sendable (inout Options, String) throws(CommandError) -> Void
  ) -> OptionEntry {
    valueInContext(name, letter, valueName, categories, help) { options, text, _ throws(CommandError) in
      try effect(&options, text)
    }
  }

  static func value(
    _ name: String, _ letter: Character? = nil, _ valueName: String, _ categories: Set<OptionCategory>,
    _ help: String, sets field: any WritableKeyPath<Options, String?> & Sendable
  ) -> OptionEntry {
    value(name, letter, valueName, categories, help) { $0[keyPath: field] = $1 }
  }

  static func value<Value>(
    _ name: String, _ letter: Character? = nil, _ valueName: String, _ categories: Set<OptionCategory>,
    _ help: String, sets field: any WritableKeyPath<Options, Value> & Sendable,
    _ read: @escaping @Sendable (String) throws(CommandError) -> Value
  ) -> OptionEntry {
    value(name, letter, valueName, categories, help) { options, text throws(CommandError) in
      options[keyPath: field] = try read(text)
    }
  }

  /// One with a value that may name a file, or deserve a remark.
  static func valueInContext(
    _ name: String, _ letter: Character? = nil, _ valueName: String, _ categories: Set<OptionCategory>,
    _ help: String,
    _ effect: @escaping @Sendable (inout Options, String, inout OptionContext) throws(CommandError) -> Void
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
    let effect: Effect =
      valueName == nil
      ? .flag { _, isOn throws(CommandError) in if isOn { throw refusal } }
      : .value { _, _, _ throws(CommandError) in throw refusal }
    return OptionEntry(
      name: name, letter: letter, valueName: valueName ?? "", categories: [], help: reason, effect: effect)
  }
}

/// The surroundings of an option's value.
struct OptionContext {
  /// The reader of files that become options and data.
  let files: BodyFiles
  /// Remarks on options that are odd without being wrong.
  private(set) var warnings: [String] = []

  init(files: BodyFiles) { self.files = files }

  mutating func warn(_ text: String) { warnings.append(text) }
}

/// The subjects of options, for `--help`.
enum OptionCategory: String, CaseIterable, Sendable {
  case auth
  case bonnet
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
    case .auth: "Authentication"
    case .bonnet: "Options that curl does not have"
    case .connection: "Connections and limits"
    case .curl: "The command line"
    case .http: "HTTP requests and responses"
    case .important: "The most used options"
    case .misc: "Other options"
    case .output: "Output files"
    case .post: "Request data"
    case .proxy: "Proxies"
    case .tls: "TLS and certificates"
    case .upload: "Uploads"
    case .verbose: "Messages and progress"
    }
  }
}
