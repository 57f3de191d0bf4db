// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Takes secrets out of the list of processes, where every user of the machine can read the arguments of a program.
enum HiddenArguments {
  /// The options whose values are secrets, or have one in them.
  static let options: Set = ["user", "proxy-user", "oauth2-bearer", "cert", "pass"]

  /// Overwrites each secret where it is an argument, or what follows the letters of one.
  ///
  /// - Parameter arguments: Those of the process, whose memory is its own to write to, up to the zero behind each.
  static func hide(_ secrets: [String], in arguments: some Sequence<UnsafeMutablePointer<CChar>>) {
    let secrets = secrets.map(ByteText.bytes).filter { !$0.isEmpty }
    for argument in arguments {
      let bytes = UnsafeMutableRawBufferPointer(start: argument, count: strlen(argument))
      let mayHaveLetters = bytes.count > 2 && bytes[0] == UInt8(ascii: "-") && bytes[1] != UInt8(ascii: "-")
      for secret in secrets where bytes.count == secret.count || mayHaveLetters {
        let end = bytes.suffix(secret.count)
        if end.elementsEqual(secret) { for index in end.indices { bytes[index] = UInt8(ascii: " ") } }
      }
    }
  }
}
