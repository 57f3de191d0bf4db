// SPDX-License-Identifier: MIT
#if !Foundation
  import FoundationEssentials

  // Unchecked: the user info is a dictionary that is never changed.
  /// Why a load failed.
  public struct URLError: Error, @unchecked Sendable, Hashable, LocalizedError {
    /// The kind of failure, with Apple's numbers.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The number by which Apple's systems know the code, such as -1001.
      public let rawValue: Int

      /// Makes a code of its number.
      public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The domain of the numbers.
    public static var errorDomain: String { NSURLErrorDomain }

    /// The kind of failure.
    public let code: Code
    /// More about the failure, by `NSErrorFailingURLKey`, `NSUnderlyingErrorKey` and others.
    public let userInfo: [String: Any]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it was.
    ///   - userInfo: More about it; nothing by default.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      self.userInfo = userInfo
    }

    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
    /// The address that could not be loaded.
    public var failingURL: URL? { userInfo[NSURLErrorFailingURLErrorKey] as? URL }
    /// The words that came with the error.
    public var errorDescription: String? {
      userInfo[NSLocalizedDescriptionKey] as? String ?? "\(NSURLErrorDomain) error \(code.rawValue)"
    }

    /// Errors are equal if they are of the same kind, about the same address and in the same words.
    public static func == (left: URLError, right: URLError) -> Bool {
      left.code == right.code && left.failingURL == right.failingURL
        && left.errorDescription == right.errorDescription
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  }

  extension URLError.Code {
    /// Lets an error match its code in a `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? URLError)?.code == code }
  }

  /// The domain of `URLError` where it is handled as an `NSError`.
  public let NSURLErrorDomain = "NSURLErrorDomain"
  /// The key of the address that could not be loaded.
  public let NSURLErrorFailingURLErrorKey = "NSErrorFailingURLKey"
  /// The key of the words that describe an error.
  public let NSLocalizedDescriptionKey = "NSLocalizedDescription"
  /// The key of the error behind an error.
  public let NSUnderlyingErrorKey = "NSUnderlyingError"
#endif
