// SPDX-License-Identifier: MIT

// Any `Content-Disposition` gives parameters or none, at bounded cost, and no name that could leave its directory.

@testable import BluebonnetSemantics

enum DispositionInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let isRepeated = selector == 0xFF && input.count <= 16
    let bytes = isRepeated ? Text.repeated(input[...], limit: 1 << 16).dropFirst() : input[1...]
    let text = (isRepeated ? "attachment" : "") + Text.of(bytes)
    let suggested = SuggestedFilename.make(disposition: text, lastPathComponent: nil, mediaType: nil)
    if let problem = problem(ofName: suggested) { return "suggested: \(problem)" }
    guard let disposition = ContentDisposition(text) else { return nil }
    if let safe = disposition.safeFilename, let problem = problem(ofName: safe) { return problem }
    if disposition.type.isEmpty || disposition.type != disposition.type.lowercased() {
      return "type \(disposition.type)"
    }
    var names: Set<String> = []
    for parameter in disposition.parameters {
      guard names.insert(parameter.name).inserted else { return "\(parameter.name) twice" }
      guard !parameter.name.isEmpty, parameter.name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
        parameter.name == parameter.name.lowercased()
      else { return "parameter \(parameter.name)" }
    }
    for parameter in disposition.parameters.prefix(16)
    where !(disposition[parameter.name] ?? "").utf8.elementsEqual(parameter.value.utf8) {
      return "\(parameter.name) is not found"
    }
    return nil
  }

  private static func problem(ofName name: String) -> String? {
    if ["", ".", ".."].contains(name) { return "the name \"\(name)\"" }
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0..<32, 0x7F..<0xA0: return "control character in \(name.unicodeScalars.map(\.value))"
      case 0x2F, 0x5C: return "separator in \(name.unicodeScalars.map(\.value))"
      default: break
      }
    }
    return nil
  }
}
