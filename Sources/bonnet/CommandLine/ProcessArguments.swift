// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// The arguments of this process, which every user of the machine can read in the list of processes.
enum ProcessArguments {
  /// Where they are, without the name of the program.
  static var all: ArraySlice<UnsafeMutablePointer<CChar>> {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.dropFirst()
  }

  /// The options whose values are secrets, or have one in them.
  static let secretOptions: Set = ["user", "proxy-user", "oauth2-bearer", "cert", "pass"]

  /// Overwrites a secret wherever it is an argument, or what follows the letters of one.
  ///
  /// - Parameter arguments: The memory of each is the process's own to write to, up to the zero behind it.
  static func hide(_ secret: String, in arguments: some Sequence<UnsafeMutablePointer<CChar>> = all) {
    let secret = ByteText.bytes(secret)
    for argument in arguments {
      let bytes = UnsafeMutableRawBufferPointer(start: argument, count: strlen(argument))
      let hasLetters = bytes.count > 2 && bytes[0] == UInt8(ascii: "-") && bytes[1] != UInt8(ascii: "-")
      guard bytes.count == secret.count || hasLetters else { continue }
      let end = bytes.suffix(secret.count)
      if end.elementsEqual(secret) { for index in end.indices { bytes[index] = UInt8(ascii: " ") } }
    }
  }
}
