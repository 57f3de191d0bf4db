// SPDX-License-Identifier: MIT
import Bluebonnet

/// The text of `--man`: the manual page, as source for troff with the man macros.
enum ManualPage {
  static var text: String {
    """
    .TH BONNET 1 "" "bonnet \(BluebonnetInfo.version)" "User Commands"
    .SH NAME
    bonnet \\- transfers URLs over HTTP
    .SH SYNOPSIS
    .B bonnet
    .RI [ options ]
    .IR URL ...
    .br
    .B bonnet \\-\\-tour
    .SH DESCRIPTION
    .B bonnet
    transfers data from and to servers of http and https URLs. Its command line has the grammar and the exit codes of curl
    7.88. It is built on Bluebonnet, and speaks HTTP/1.1 and HTTP/1.0.
    .PP
    Names of long options may be shortened as long as they are unambiguous. A switch NAME is turned off by
    .BR \\-\\-no\\-NAME .
    .SH URL
    Braces and brackets in a URL stand for several:
    .B {one,two}
    for each text,
    .B [1\\-9]
    and
    .B [a\\-z:2]
    for each number or letter, with a step behind the colon.
    .SH OPTIONS
    \(OptionTable.all.filter(\.isHonoured).map(entry).joined().dropLast())
    .SH VARIABLES OF --write-out
    \(escaped(variables)).
    Fields of the response are
    .BR %header{NAME} .
    .B %{stderr}
    and
    .B %{stdout}
    say where the text behind them goes. The text behind
    .B %{onerror}
    is for failures only.
    .SH OPTIONS OF CURL THAT ARE NOT SUPPORTED
    These end with exit status 2 and the reason.
    \(refusals.dropLast())
    .SH EXIT STATUS
    \(ExitStatus.allCases.map { ".TP\n.B \($0.rawValue)\n\(escaped($0.meaning))\n" }.joined().dropLast())
    .SH FILES
    .TP
    .I .curlrc
    Options that are read first, unless
    .B \\-q
    is the first argument: in the directory
    .BR $CURL_HOME ,
    .B $XDG_CONFIG_HOME
    or
    .BR $HOME .
    .TP
    .I .netrc
    Users and passwords of servers, for
    .BR \\-\\-netrc .
    .SH ENVIRONMENT
    .TP
    .BR http_proxy ", " https_proxy ", " ftp_proxy ", " all_proxy
    The proxy for URLs of a scheme, and for all schemes. Upper case is read, too, except for http_proxy.
    .TP
    .B no_proxy
    Hosts to reach without the proxy, separated by commas.
    .TP
    .B SSL_CERT_FILE
    A file with the CA certificates to trust instead of the system's.
    .SH SEE ALSO
    .BR curl (1)

    """
  }

  private static func entry(_ entry: OptionEntry<Command>) -> String {
    let letter = entry.letter.map { "\\-\($0 == "-" ? "\\-" : String($0)), " } ?? ""
    let value = entry.valueName.isEmpty ? "" : " \\fI\(escaped(entry.valueName))\\fR"
    return ".TP\n\\fB\(letter)\(escaped(entry.shownName))\\fR\(value)\n\(escaped(entry.help)).\n"
  }

  private static var variables: String {
    TransferFacts.variableNames.map { "%{\($0)}" }.joined(separator: ", ")
  }

  /// Each reason with its options.
  private static var refusals: String {
    let groups = Dictionary(grouping: OptionTable.all.filter { !$0.isHonoured }, by: \.help)
    return groups.sorted { $0.key < $1.key }.map { reason, entries in
      let names = entries.map { "--\($0.name)" }.joined(separator: ", ")
      return
        ".TP\n\\fB\(escaped(names))\\fR\n\(escaped(reason.prefix(1).uppercased() + reason.dropFirst())).\n"
    }.joined()
  }

  /// Text in which nothing is troff's: no escapes, no requests at the beginning of a line, and hyphens that can be copied.
  static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("§", with: "\\(sc")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
