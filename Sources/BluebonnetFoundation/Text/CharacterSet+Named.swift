// SPDX-License-Identifier: MIT
#if !Foundation
  extension CharacterSet {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    /// RFC 3986 §2.3 and §2.2.
    private static let unreserved = letters + digits + "-._~"
    private static let subDelimiters = "!$&'()*+,;="

    /// The characters that a query may contain unencoded (RFC 3986 §3.4).
    public static let urlQueryAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":@/?")
    /// The characters that a fragment may contain unencoded (RFC 3986 §3.5).
    public static let urlFragmentAllowed = urlQueryAllowed
    /// The characters that a path may contain unencoded (RFC 3986 §3.3).
    public static let urlPathAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":@/")
    /// The characters that a host may contain unencoded (RFC 3986 §3.2.2).
    public static let urlHostAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":[]")
    /// The characters that a user name may contain unencoded (RFC 3986 §3.2.1).
    public static let urlUserAllowed = CharacterSet(charactersIn: unreserved + subDelimiters)
    /// The characters that a password may contain unencoded.
    public static let urlPasswordAllowed = urlUserAllowed
    /// The digits 0 to 9 of ASCII. Foundation's set has those of other scripts, too.
    public static let decimalDigits = CharacterSet(charactersIn: digits)
    /// Spaces of all widths, and the tab.
    public static let whitespaces = CharacterSet(charactersIn: " \t\u{A0}\u{1680}\u{202F}\u{205F}\u{3000}")
    /// The characters that end a line.
    public static let newlines = CharacterSet(charactersIn: "\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}")
    /// Spaces, tabs and line ends.
    public static let whitespacesAndNewlines = whitespaces.union(newlines)
  }
#endif
