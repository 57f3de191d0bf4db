import BluebonnetFoundation

// How keys and containers are written.
extension URLEncodedFormEncoder {
  /// How an array's elements are told apart.
  public enum ArrayEncoding: Sendable {
    /// `key[]` for every element.
    case brackets
    /// The key as it is, once for every element.
    case noBrackets
    /// `key[0]`, `key[1]`…
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

  /// How a key within another key's value is written.
  public struct KeyPathEncoding: Sendable {
    /// `parent[child]`.
    public static let brackets = KeyPathEncoding { "[\($0)]" }
    /// `parent.child`.
    public static let dots = KeyPathEncoding { ".\($0)" }

    private let encoding: @Sendable (_ subkey: String) -> String

    /// What `encoding` makes of the inner key is appended to the outer one.
    public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
      self.encoding = encoding
    }

    func encodeKeyPath(_ keyPath: String) -> String {
      encoding(keyPath)
    }
  }

  /// How an absent value is written.
  public struct NilEncoding: Sendable {
    /// Not at all.
    public static let dropKey = NilEncoding { nil }
    /// The key with nothing after `=`.
    public static let dropValue = NilEncoding { "" }
    /// As `null`.
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
