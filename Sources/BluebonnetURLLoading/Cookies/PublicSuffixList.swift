// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetSemantics
import Synchronization

/// The domains that belong to registries and hosters, such as `com`, `co.uk` and `github.io`: no site may set a cookie for all
/// of them (RFC 6265bis §5.7, steps 9 and 10).
///
/// The list changes weekly and comes with the operating system (Debian's package `publicsuffix`, Alpine's
/// `public-suffix-list`). It is read at its first use, when a server states the domain of a cookie;
/// loads wait for it, not the loop that they run on. Where there is none, a few built-in rules stand in: ``inUse`` says so.
/// A file that changes later is not read again by itself; call ``use(fileAt:)``.
public struct PublicSuffixList: Sendable {
  /// The source of rules.
  public enum Source: Sendable, Hashable {
    /// A file in the form in which the list is published.
    case file(path: String)
    /// Built-in rules: the usual second-level labels of countries, and the largest hosters. Sites of many a smaller hoster
    /// can then see each other's domain cookies.
    case builtIn
  }

  /// The source of the rules.
  public let source: Source
  /// The reason why the system's file is not used; `nil` where it is, or where the program has chosen.
  public let problem: String?
  package let rules: PublicSuffixRules

  /// The number of rules.
  public var ruleCount: Int { rules.ruleCount }

  /// The path of the system's list: Debian's and Alpine's.
  public static let systemPath = "/usr/share/publicsuffix/public_suffix_list.dat"

  /// Whether sites share the domain, so that it gets no cookies; also text that is no name of a host.
  ///
  /// - Parameter domain: In any spelling, with or without a dot in front.
  public func isPublicSuffix(_ domain: String) -> Bool { rules.covers(Self.canonical(domain)) }

  /// The registered domain: a suffix and the label before it, such as `example.co.uk` for
  /// `www.example.co.uk`; `nil` for a suffix, and for an address.
  ///
  /// - Parameter host: In any spelling. The result is in lower case with `xn--` labels.
  public func registrableDomain(of host: String) -> String? {
    guard let host = try? HostName.canonical(host) else { return nil }
    return CookieScope.isAddress(host) ? nil : rules.registrableDomain(of: host)
  }

  private static func canonical(_ domain: String) -> String {
    (try? HostName.canonical(domain.utf8.first == UInt8(ascii: ".") ? String(domain.dropFirst()) : domain))
      ?? ""
  }

  // MARK: The one in use

  private static let current = Locked<PublicSuffixList?>(nil)
  /// Read without the lock: whether `current` has been filled.
  private static let isFilled = Atomic(false)

  /// The list by which the cookies of this process are judged. Reads it, if that has not happened yet.
  public static var inUse: PublicSuffixList {
    current.withLock { current in
      if let known = current { return known }
      let list = system()
      current = list
      isFilled.store(true, ordering: .releasing)
      return list
    }
  }

  /// Whether asking for ``inUse`` touches no file.
  static var isLoaded: Bool { isFilled.load(ordering: .acquiring) }

  /// The queue on which the first user of the list has it read.
  static let queue = DispatchQueue(label: "bluebonnet.suffixes")

  /// The rules that can be had without reading a file: for callers in loop context. The rest is read meanwhile.
  static var atHand: PublicSuffixRules {
    if isLoaded { return inUse.rules }
    queue.async { _ = inUse }
    return .builtIn
  }

  /// Has the list read again by its next user; for tests.
  package static func forget() {
    current.withLock { $0 = nil }
    isFilled.store(false, ordering: .releasing)
  }

  /// Takes another list for the whole process. Cookies that are stored already are not judged again.
  ///
  /// - Parameter path: A file in the form in which the list is published (https://publicsuffix.org/list/), up to 16 MiB.
  /// - Throws: `POSIXError` where it cannot be read, `CocoaError.fileReadCorruptFile` where it has no rule for `com`,
  ///   `CocoaError.fileReadTooLarge`. Then the list in use stays.
  public static func use(fileAt path: String) throws {
    replace(with: try PublicSuffixList(fileAt: path))
  }

  /// Takes the built-in rules for the whole process.
  public static func useBuiltIn() {
    replace(with: PublicSuffixList(source: .builtIn, problem: nil, .builtIn))
  }

  /// Takes the system's list again, as it is now; the built-in rules where there is none.
  public static func useSystem() { replace(with: system()) }

  private static func replace(with list: PublicSuffixList) {
    current.withLock { $0 = list }
    isFilled.store(true, ordering: .releasing)
  }

  private init(source: Source, problem: String?, _ rules: PublicSuffixRules) {
    self.source = source
    self.problem = problem
    self.rules = rules
  }

  private init(fileAt path: String) throws {
    let file = try FileReader.contents(of: path, limit: 16 << 20)
    let rules = PublicSuffixRules(file, canonicalHost: HostName.canonical)
    // A page that says that there is no such file has lines, too.
    guard rules.ruleCount > 1, rules.names("com") else { throw CocoaError(.fileReadCorruptFile) }
    self.init(source: .file(path: path), problem: nil, rules)
  }

  private static func system() -> PublicSuffixList {
    do {
      return try PublicSuffixList(fileAt: systemPath)
    } catch {
      let problem =
        switch error {
        case let error as POSIXError where error.code == .ENOENT:
          "there is no \(systemPath); install the package publicsuffix"
        case let error as POSIXError:
          "\(systemPath) cannot be read: \(String(cString: strerror(error.code.rawValue)))"
        default: "\(systemPath) is no list of public suffixes"
        }
      return PublicSuffixList(source: .builtIn, problem: problem, .builtIn)
    }
  }
}
