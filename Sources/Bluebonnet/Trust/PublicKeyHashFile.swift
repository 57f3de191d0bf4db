// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A file with hashes to pin, in JSON or as a property list: for one server, or by host.
private enum PublicKeyHashFile: Decodable {
  case hashes([String])
  case hosts([String: [String]])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let hashes = try? container.decode([String].self) {
      self = .hashes(hashes)
    } else {
      self = .hosts(try container.decode([String: [String]].self))
    }
  }

  init(contentsOf file: URL) throws {
    let data = try Data(contentsOf: file)
    // Neither form of property lists can begin a JSON text.
    let isPropertyList = data.starts(with: Array("bplist".utf8)) || data.first { $0 > 0x20 } == 0x3C
    do {
      self =
        isPropertyList
        ? try PropertyListDecoder().decode(Self.self, from: data)
        : try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw PublicKeyHashError(
        reason:
          "\(file.path) holds neither an array of hashes nor such arrays by host, in JSON or as a property list"
      )
    }
    // Which of them is meant cannot be told, and decoders take one without a word. UTF-16 is not looked into.
    if case .hosts(let hosts) = self, !isPropertyList, !data.contains(0),
      Self.keyCount(inJSON: data) != hosts.count
    {
      throw PublicKeyHashError(reason: "\(file.path) states a host twice")
    }
    // Of two equal keys of a property list only one is left by now; two spellings are both there.
    if case .hosts(let hosts) = self, let host = Self.repeatedHost(among: Array(hosts.keys)) {
      throw PublicKeyHashError(reason: "\(file.path) states the host \(host) twice, in another spelling")
    }
  }

  /// A key that spells the host of another one. Those that can be no host's are left to the manager.
  private static func repeatedHost(among keys: [String]) -> String? {
    var known: Set<HostPattern> = []
    for key in keys.sorted() {
      guard let host = try? HostPattern(key) else { continue }
      if !known.insert(host).inserted { return key }
    }
    return nil
  }

  /// The number of strings in an object with arrays for values, without those in the arrays: the keys, however often each comes.
  private static func keyCount(inJSON data: Data) -> Int {
    var (depth, count) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in data {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
        if depth == 1 { count += 1 }
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return count
  }
}

extension PublicKeyHashesTrustEvaluator {
  /// An evaluator that pins what a file states: an array of hashes, in JSON or as a property list.
  ///
  /// - Parameters:
  ///   - file: Where the file is. It is read now, and never again.
  ///   - performDefaultValidation: Whether the chain is checked as well.
  ///   - validateHost: Whether the chain and the host name are checked as well.
  /// - Throws: ``PublicKeyHashError`` for what cannot be pinned, or why the file cannot be read.
  public convenience init(
    contentsOf file: URL, performDefaultValidation: Bool = true, validateHost: Bool = true
  ) throws {
    guard case .hashes(let hashes) = try PublicKeyHashFile(contentsOf: file) else {
      throw PublicKeyHashError(
        reason: "\(file.path) states them by host, which evaluators(contentsOf:) reads")
    }
    try self.init(
      hashes: hashes, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }

  /// The evaluators for a ``ServerTrustManager`` that a file states: arrays of hashes by host, in JSON or as a property list.
  ///
  /// - Parameters:
  ///   - file: Where the file is. It is read now, and never again.
  ///   - performDefaultValidation: Whether the chains are checked as well.
  ///   - validateHost: Whether the chains and the host names are checked as well.
  /// - Returns: An evaluator for each host.
  /// - Throws: ``PublicKeyHashError`` for what cannot be pinned, or why the file cannot be read.
  public static func evaluators(
    contentsOf file: URL, performDefaultValidation: Bool = true, validateHost: Bool = true
  ) throws -> [String: any ServerTrustEvaluating] {
    guard case .hosts(let hosts) = try PublicKeyHashFile(contentsOf: file), !hosts.isEmpty else {
      throw PublicKeyHashError(reason: "\(file.path) does not state them by host")
    }
    return try hosts.mapValues { hashes in
      try PublicKeyHashesTrustEvaluator(
        hashes: hashes, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
  }
}
