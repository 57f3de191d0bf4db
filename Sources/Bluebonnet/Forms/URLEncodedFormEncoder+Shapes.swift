// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// How keys and containers are written.
extension URLEncodedFormEncoder {
  /// The form of an array's keys.
  public enum ArrayEncoding: Sendable {
    /// `key[]` for every element; the default.
    case brackets
    /// The key as it is, once for every element.
    case noBrackets
    /// `key[0]` for the first element, `key[1]` for the second, and so on.
    case indexInBrackets
    /// The key that this closure makes of the array's key and the element's index.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)

    func encode(_ key: String, atIndex index: Int) -> String {
      switch self {
      case .brackets: "\(key)[]"
      case .noBrackets: key
      case .indexInBrackets: "\(key)[\(index)]"
      case .custom(let encoding): encoding(key, index)
      }
    }
  }

  /// The form of a key within another key's value.
  public struct KeyPathEncoding: Sendable {
    /// `parent[child]`; the default.
    public static let brackets = KeyPathEncoding { "[\($0)]" }
    /// `parent.child`, as in a path of keys.
    public static let dots = KeyPathEncoding { ".\($0)" }

    private let encoding: @Sendable (_ subkey: String) -> String

    /// The result of `encoding` for the inner key is appended to the outer one.
    public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
      self.encoding = encoding
    }

    func encodeKeyPath(_ keyPath: String) -> String {
      encoding(keyPath)
    }
  }

  /// The form of absent values (`nil`).
  public struct NilEncoding: Sendable {
    /// Neither key nor value is written; the default.
    public static let dropKey = NilEncoding { nil }
    /// The key is written with nothing behind its `=`.
    public static let dropValue = NilEncoding { "" }
    /// The value is written as `null`.
    public static let null = NilEncoding { "null" }

    private let encoding: @Sendable () -> String?

    /// The text to write, or `nil` to write neither key nor value.
    public init(encoding: @escaping @Sendable () -> String?) {
      self.encoding = encoding
    }

    func encodeNil() -> String? {
      encoding()
    }
  }
}
