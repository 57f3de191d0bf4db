/// How a parser treats what RFC 9112 and RFC 9110 leave to the recipient's judgement.
///
/// Neither mode accepts anything that could make two recipients disagree about where a message ends.
public enum ParsingMode: Sendable, Hashable {
  /// Only what the grammar generates. The right choice unless a peer is known to be old and harmless.
  case strict
  /// Also what the RFCs explicitly allow a recipient to repair: lines that end in a bare LF (RFC 9112 §2.2),
  /// folded field lines (§5.2), a bare CR, NUL or other control byte inside a value (RFC 9110 §5.5),
  /// whitespace before the colon of a response field (§5.1), and runs of whitespace in a start line (§3, §4).
  case lenient
}
