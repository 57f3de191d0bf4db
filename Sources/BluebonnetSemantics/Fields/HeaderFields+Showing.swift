// SPDX-License-Identifier: MIT
extension HeaderFields.Field {
  /// The value, or what a description shows instead of a secret one.
  package var shownValue: String { Self.isSecret(name) ? "<redacted>" : value }

  /// A reader of one of these can act as the user.
  package static func isSecret(_ name: String) -> Bool {
    (RequestCredentials.fieldNames + ["Set-Cookie"]).contains { name.equalsIgnoringASCIICase($0) }
  }
}
