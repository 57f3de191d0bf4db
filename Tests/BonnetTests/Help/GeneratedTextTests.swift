// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import bonnet

/// The manual page and the completions, which are made from the table of options.
@Suite final class GeneratedTextTests {
  private let path = "/tmp/bonnet-text-\(getpid())-\(UInt32.random(in: .min ... .max))"

  deinit { unlink(path) }

  private static func has(_ program: String) -> Bool {
    (try? Program("sh").run("-c", "command -v \(program)").status) == 0
  }

  /// What a script of the shell says, and its errors, with the generated text in the file `$1`.
  private func run(_ shell: String, _ script: String, on text: String) async throws -> String {
    var file = OutputFile(.path(path))
    try file.write(text)
    try file.close()
    let path = path
    return try await detached {
      let outcome = try Program("sh").run(
        "-c", "exec 2>&1; script=$1; shift; exec \(shell) \"$script\" shell \"$1\"", "sh", script, path)
      return outcome.text + (outcome.status == 0 ? "" : "status \(outcome.status)")
    }
  }

  // MARK: Manual page

  @Test func manualHasEveryOption() {
    let lines = Set(ManualPage.text.split(separator: "\n"))
    for entry in OptionTable.all where entry.isHonoured {
      #expect(lines.contains { $0.contains(ManualPage.escaped(entry.shownName) + "\\fR") }, "\(entry.name)")
      #expect(lines.contains(ManualPage.escaped(entry.help) + "."), "\(entry.name)")
    }
    for entry in OptionTable.all where !entry.isHonoured {
      #expect(lines.contains { $0.contains(ManualPage.escaped("--\(entry.name)")) }, "\(entry.name)")
    }
    for status in ExitStatus.allCases { #expect(lines.contains(".B \(status.rawValue)")) }
    #expect(ManualPage.text.contains(ManualPage.escaped("%{time_total}")))
    #expect(ManualPage.escaped("-a\\b") == "\\-a\\eb")
    #expect(ManualPage.escaped(".curlrc") == "\\&.curlrc")
    #expect(ManualPage.escaped("§8") == "\\(sc8")
  }

  @Test(.enabled(if: has("groff"))) func manualIsFormattedWithoutWarnings() async throws {
    #expect(ManualPage.text.utf8.allSatisfy { $0 < 0x80 })
    let warnings = try await run("sh -c", "groff -man -Tutf8 -ww -z $1", on: ManualPage.text)
    #expect(warnings == "")
    let page = try await run("sh -c", "groff -man -Tascii -P-c -P-b -P-u $1", on: ManualPage.text)
    #expect(
      page.contains("\n       -d, --data data\n              Sends form data by POST; @file reads a file.\n"))
  }

  // MARK: Completions

  @Test func completionsHaveEveryOption() {
    for shell in Shell.allCases {
      let script = CompletionScript.text(for: shell)
      for entry in OptionTable.all {
        let name = shell == .fish ? "-l \(entry.shownName.dropFirst(2)) " : entry.shownName
        let isFound = script.firstRange(of: name) != nil
        if entry.isHonoured { #expect(isFound, "\(shell): \(entry.name)") }
      }
      #expect(!script.contains("ftp-pasv"), "\(shell)")
    }
  }

  @Test(.enabled(if: has("bash"))) func bashCompletes() async throws {
    let script = """
      set -u
      bash -n "$1"
      . "$1"
      complete -p bonnet
      answer() { COMP_WORDS=("$@"); COMP_CWORD=$((COMP_CWORD)); _bonnet; echo "${COMPREPLY[*]}"; }
      COMP_CWORD=1 answer bonnet --data-u
      COMP_CWORD=1 answer bonnet --no-b
      COMP_CWORD=2 answer bonnet --completions ''
      COMP_CWORD=2 answer bonnet -o "${1%?}"
      COMP_CWORD=2 answer bonnet --output-dir "${1%?}"
      COMP_CWORD=2 answer bonnet -d --
      """
    let told = try await run("bash -c", script, on: CompletionScript.text(for: .bash))
    #expect(
      told == """
        complete -F _bonnet bonnet
        --data-urlencode
        --no-buffer
        bash zsh fish
        \(path)



        """)
  }

  @Test(.enabled(if: has("zsh"))) func zshLoads() async throws {
    let script = """
      zsh -n "$1"
      autoload -Uz compinit
      compinit -D -u
      . "$1"
      print $_comps[bonnet]
      whence -w _bonnet
      """
    #expect(
      try await run("zsh -fc", script, on: CompletionScript.text(for: .zsh)) == "_bonnet\n_bonnet: function\n"
    )
  }

  @Test(.enabled(if: has("fish"))) func fishCompletes() async throws {
    let script = """
      fish -n $argv[2]
      source $argv[2]
      complete -C 'bonnet --data-u'
      complete -C 'bonnet --tls-max 1.' | string split -f 1 \\t
      """
    let told = try await run("fish --no-config -c", script, on: CompletionScript.text(for: .fish))
    #expect(
      told == """
        --data-urlencode\tSends URL-encoded data by POST: content, name=content or name@file
        1.2
        1.3

        """)
  }
}
