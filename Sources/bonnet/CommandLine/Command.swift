/// A whole command line: what holds for all of it, and one operation for each part between `--next`.
struct Command: Equatable, Sendable {
  /// The options for all operations.
  struct Globals: Equatable, Sendable {
    /// The messages about a transfer while it runs.
    enum Trace: Equatable, Sendable {
      case none
      /// `-v`: heads as they are, everything else as a line.
      case verbose
      /// `--trace-ascii`: all bytes, those that are no text as dots.
      case text(path: String)
      /// `--trace`: all bytes, in hexadecimal besides.
      case hexadecimal(path: String)
    }

    /// The display of progress.
    enum Meter: Equatable, Sendable {
      case columns
      case bar
    }

    var trace = Trace.none
    var stampsTrace = false
    var isSilent = false
    var showsErrors = false
    var showsMeter = true
    var meter = Meter.columns
    /// The destination of standard error; nil for its own.
    var errorPath: String?
    /// The first failure ends it all.
    var failsEarly = false
    var isParallel = false
    var parallelLimit = 50
    var startsAtOnce = false
    /// Transfers that may begin in a second, at most; nil for any number.
    var minimumInterval: Duration?
    /// Parts of heads stand out on a terminal.
    var stylesHeads = true
  }

  /// Something that is asked for instead of a transfer.
  enum Question: Equatable, Sendable {
    case help(category: String)
    case version
    case manual
  }

  var globals = Globals()
  var operations: [Operation] = [Operation()]
  var question: Question?
  /// A remark on options that are odd without being wrong.
  var warnings: [String] = []
}
