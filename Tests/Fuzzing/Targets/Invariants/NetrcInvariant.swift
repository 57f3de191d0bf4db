// SPDX-License-Identifier: MIT

// A `.netrc` may hold anything. What is read of it is the same when it is written with every word in quotation marks.

@testable import BluebonnetSemantics

@testable import BluebonnetURLLoading

enum NetrcInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    let isRepeated = input.first == 0xFF && input.count <= 64
    let bytes = isRepeated ? Text.repeated(input[1...], limit: 1 << 16) : input
    guard let read = try? NetrcEntries(bytes, canonicalHost: HostName.canonical) else { return nil }
    var file: [UInt8] = []
    for entry in read.entries {
      file += entry.machine.map { Array("machine ".utf8) + quoted(Array($0.utf8)) } ?? Array("default".utf8)
      for (keyword, value) in [
        ("login", entry.login), ("password", entry.password), ("account", entry.account),
      ] {
        if let value { file += Array("\n\(keyword) ".utf8) + quoted(value) }
      }
      file.append(10)
    }
    do {
      let again = try NetrcEntries(file, canonicalHost: HostName.canonical)
      if again != read { return "\(read) is read again as \(again)" }
    } catch {
      return "\(read) cannot be read again: \(error)"
    }
    for entry in read.entries.prefix(64) {
      guard let machine = entry.machine, let found = read.entry(for: machine) else { continue }
      if let other = found.machine, other != machine { return "\(machine) gets what is \(other)'s" }
      let user = entry.login ?? []
      if let named = read.entry(for: machine, user: user), let login = named.login, login != user {
        return "\(user) gets what is another's"
      }
    }
    return nil
  }

  private static func quoted(_ word: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [34]
    for byte in word {
      switch byte {
      case 10: result += Array("\\n".utf8)
      case 34, 92: result += [92, byte]
      default: result.append(byte)
      }
    }
    return result + [34]
  }
}
