// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Asks for passwords that `-u` and `-U` leave out, as curl does.
enum PasswordPrompt {
  /// Reads a line from the terminal, which does not show it; from standard input where there is no terminal.
  ///
  /// - Parameter prompt: The text in front of the place for the password.
  /// - Returns: The password; empty if the input is at its end.
  static func read(_ prompt: String) -> String {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    let descriptor = terminal >= 0 ? terminal : STDIN_FILENO
    defer { if terminal >= 0 { close(terminal) } }
    let shown = hideInput(of: descriptor)
    defer {
      if var shown {
        tcsetattr(descriptor, TCSAFLUSH, &shown)
        // The key that ends the line was not shown either.
        Terminal.say("\n")
      }
    }
    Terminal.say(prompt)
    return ByteText.text(line(of: descriptor))
  }

  /// - Returns: The settings to go back to; nil without a terminal.
  private static func hideInput(of descriptor: Int32) -> termios? {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    let shown = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    return tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 ? shown : nil
  }

  private static func line(of descriptor: Int32) -> [UInt8] {
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      // One at a time: the rest of standard input may be a body.
      let count = BluebonnetLibc.read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != UInt8(ascii: "\n") else { return line }
      line.append(byte)
    }
  }
}

extension Command {
  /// Completes each user without a colon by a password.
  ///
  /// - Parameter read: Shows a prompt, and returns the typed password.
  mutating func askForPasswords(_ read: (_ prompt: String) -> String) {
    for index in operations.indices {
      // As with curl, operations are counted where there are several.
      let place = operations.count > 1 ? " on URL #\(index + 1)" : ""
      func complete(_ user: inout String?, _ side: String) {
        guard let name = user, !name.utf8.contains(UInt8(ascii: ":")) else { return }
        user = "\(name):\(read("Enter \(side) password for user '\(name)'\(place):"))"
      }
      // With a token, nothing else is sent.
      if operations[index].authentication.bearer == nil {
        complete(&operations[index].authentication.user, "host")
      }
      complete(&operations[index].proxy.user, "proxy")
    }
  }
}
