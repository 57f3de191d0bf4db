// SPDX-License-Identifier: MIT

/// A `Content-Disposition` value and the file name it suggests (RFC 6266, RFC 8187).
public struct ContentDisposition: Sendable, Hashable {
  /// One parameter. Extended values (`name*`) are decoded.
  public struct Parameter: Sendable, Hashable {
    /// The name in lower case, with its `*` if it has one.
    public let name: String
    /// The value without quotes and escapes.
    public let value: String
  }

  /// `inline`, `attachment`, `form-data` or an extension, in lower case.
  public let type: String
  /// The parameters that could be understood, in order.
  public let parameters: [Parameter]
  /// Whether all of the value followed the grammar. If not, ``parameters`` lacks the parts that could not be understood.
  public let isWellFormed: Bool

  /// Reads a field value; nil if it is malformed as a whole, in which case RFC 6266 §4 has it ignored.
  public init?(_ value: String) {
    var scanner = DispositionScanner(value)
    guard let type = scanner.type() else { return nil }
    var parameters: [Parameter] = []
    var names: Set<String> = []
    var isWellFormed = true
    while true {
      switch scanner.parameter() {
      case .end:
        self.type = type
        self.parameters = parameters
        self.isWellFormed = isWellFormed
        return
      case .malformed:
        return nil
      case .skipped:
        isWellFormed = false
      case .parameter(let parameter):
        // RFC 6266 §4.1: a name occurs once. Which of two was meant cannot be known.
        guard names.insert(parameter.name).inserted else { return nil }
        parameters.append(parameter)
      }
    }
  }

  /// The value of a parameter.
  public subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The file name as the sender wrote it: `filename*` before `filename` (RFC 6266 §4.3), else the numbered pieces
  /// that mailers use (RFC 2231 §3). It may name directories; see ``safeFilename``.
  public var filename: String? {
    self["filename*"] ?? self["filename"] ?? joinedPieces
  }

  /// The last path component of ``filename``, if that can name a file in a directory of the recipient's choice
  /// (RFC 6266 §4.3): no separators, no control characters, not empty, and not of dots and spaces alone.
  public var safeFilename: String? { filename.flatMap(Self.safeFilename(in:)) }

  /// The same for any path that a peer has made up.
  package static func safeFilename(in path: String) -> String? {
    // Scalars, not characters: an accent behind a slash makes another character of it, but no other path.
    let last = path.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
    guard let last else { return nil }
    var name = String.UnicodeScalarView()
    for scalar in last where scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) {
      name.append(scalar)
    }
    return name.allSatisfy { $0 == "." || $0 == " " } ? nil : String(name)
  }

  private var joinedPieces: String? {
    var joined: String?
    var number = 0
    // Looked up at once: a peer may send thousands.
    let pieces = Dictionary(
      parameters.lazy.filter { $0.name.utf8.starts(with: "filename*".utf8) }.map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
    while let piece = pieces["filename*\(number)"] ?? pieces["filename*\(number)*"] {
      joined = (joined ?? "") + piece
      number += 1
    }
    guard let joined else { return nil }
    // Only the first piece names a charset, and its percent-encoding spans all of them.
    return joined.contains("'") ? ExtendedValue.decode(joined) : joined
  }
}
