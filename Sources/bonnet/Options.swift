import ArgumentParser

/// The command line, as curl's users expect it.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bonnet",
    abstract: "Fetches a URL over HTTP/1.1 and writes the body to standard output.",
    discussion: """
      Without arguments it takes a tour: it starts a small origin inside the process and shows, one line each, what \
      the library does against it.

      Exit codes are curl's: 6 unresolved host, 7 refused connection, 18 cut short, 22 an error status with -f, \
      28 out of time, 35 no TLS, 60 bad certificate, …
      """,
    version: "bonnet \(Version.current)")

  @Argument(help: "What to fetch; http:// unless it says otherwise.")
  var url: String?

  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// What is asked for.
struct RequestOptions: ParsableArguments {
  @Option(
    name: [.customShort("X"), .customLong("request")],
    help: ArgumentHelp("The method.", valueName: "method"))
  var method: String?

  @Option(
    name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A field, as 'Name: value'; 'Name:' takes one away, 'Name;' sends it empty; @file holds a line for each.",
      valueName: "field"))
  var fields: [String] = []

  @Option(
    name: [.customShort("d"), .customLong("data")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A form body, sent by POST; @file reads one without its line ends, several are joined by &.",
      valueName: "data"))
  var data: [String] = []

  @Option(
    name: .customLong("data-raw"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The same without a special meaning of @.", valueName: "data"))
  var rawData: [String] = []

  @Option(
    name: .customLong("data-binary"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The same; @file is read as it is.", valueName: "data"))
  var binaryData: [String] = []

  @Option(
    name: .customLong("json"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A JSON body, sent by POST; @file reads one.", valueName: "data"))
  var json: [String] = []

  @Option(
    name: [.customShort("F"), .customLong("form")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A part of a multipart form: name=value, name=@file, name=<file, with ;type= and ;filename=.",
      valueName: "part"))
  var parts: [String] = []

  @Flag(
    name: [.customShort("G"), .customLong("get")],
    help: "Puts the data of -d into the query instead of a body.")
  var putsDataIntoQuery = false

  @Option(
    name: [.customShort("u"), .customLong("user")], parsing: .unconditional,
    help: ArgumentHelp("Basic authentication.", valueName: "user:password"))
  var user: String?

  @Option(
    name: [.customShort("A"), .customLong("user-agent")],
    parsing: .unconditional,
    help: ArgumentHelp("The User-Agent; empty for none.", valueName: "name"))
  var agent: String?

  @Option(
    name: [.customShort("e"), .customLong("referer")], parsing: .unconditional,
    help: ArgumentHelp("The Referer.", valueName: "URL"))
  var referrer: String?

  @Option(
    name: [.customShort("b"), .customLong("cookie")], parsing: .unconditional,
    help: ArgumentHelp("Cookies to send.", valueName: "name=value; …"))
  var cookies: String?

  @Option(
    name: [.customShort("r"), .customLong("range")],
    help: ArgumentHelp("A part of the resource, as 0-499 or -500.", valueName: "bytes"))
  var range: String?

  @Flag(name: [.customShort("I"), .customLong("head")], help: "Asks for the head only.")
  var asksForHead = false

  @Flag(name: [.customShort("L"), .customLong("location")], help: "Follows redirects.")
  var follows = false

  @Option(
    name: .customLong("max-redirs"), parsing: .unconditional,
    help: ArgumentHelp("How many redirects at most.", valueName: "count"))
  var redirectLimit: Int?

  @Flag(
    name: .customLong("compressed"),
    help: "Asks for br, gzip or deflate, and undoes it.")
  var asksForCompression = false
}

/// How the server is reached.
struct ConnectionOptions: ParsableArguments {
  @Flag(
    name: [.customShort("k"), .customLong("insecure")],
    help: "Accepts any certificate.")
  var acceptsAnyCertificate = false

  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp("Trusts the authorities in this PEM file instead of the system's.", valueName: "file"))
  var authorities: String?

  @Option(
    name: [.customShort("m"), .customLong("max-time")],
    help: ArgumentHelp("How long it may take in all.", valueName: "seconds"))
  var timeLimit: Double?

  @Option(
    name: .customLong("connect-timeout"),
    help: ArgumentHelp("How long connecting may take.", valueName: "seconds"))
  var connectTimeLimit: Double?

  @Option(
    name: .customLong("unix-socket"),
    help: ArgumentHelp("Connects to this socket instead of the URL's host.", valueName: "path"))
  var socketPath: String?
}

/// What becomes of the response.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Writes the body to this file.", valueName: "file"))
  var file: String?

  @Flag(
    name: [.customShort("O"), .customLong("remote-name")],
    help: "Writes the body to a file named as in the URL.")
  var usesRemoteName = false

  @Flag(name: [.customShort("i"), .customLong("include")], help: "Writes the heads of responses, too.")
  var includesHeads = false

  @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Tells on standard error what happens.")
  var isVerbose = false

  @Flag(name: [.customShort("s"), .customLong("silent")], help: "No progress bar and no error messages.")
  var isSilent = false

  @Flag(name: [.customShort("S"), .customLong("show-error")], help: "Error messages in spite of -s.")
  var showsErrors = false

  @Flag(
    name: [.customShort("f"), .customLong("fail")],
    help: "Fails with exit code 22, without a body, on statuses from 400 on.")
  var failsOnErrorStatus = false

  @Option(
    name: [.customShort("w"), .customLong("write-out")],
    parsing: .unconditional,
    help: ArgumentHelp(
      "Written to standard output at the end: %{http_code}, %{size_download}, %{time_total}, %{url_effective}, …",
      valueName: "format"))
  var report: String?
}
