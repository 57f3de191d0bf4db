import BluebonnetFoundation
import BluebonnetURLLoading

/// A manager's evaluators by the canonical form of their hosts.
struct HostEvaluators: Sendable {
  private var evaluators: [String: any ServerTrustEvaluating] = [:]
  /// Those for hosts with one label more (`*.example.org`), by what they all end in.
  private var wildcards: [String: any ServerTrustEvaluating] = [:]
  private var unusable: UnusableEvaluatorKey?

  init(_ stated: [String: any ServerTrustEvaluating]) {
    var grouped: [String: [any ServerTrustEvaluating]] = [:]
    var below: [String: [any ServerTrustEvaluating]] = [:]
    // Sorted, so that nothing depends on the dictionary's order.
    for (key, evaluator) in stated.sorted(by: { $0.key < $1.key }) {
      do {
        if key.hasPrefix("*.") {
          below[try Self.parent(String(key.dropFirst(2))), default: []].append(evaluator)
        } else {
          grouped[try Self.host(key), default: []].append(evaluator)
        }
      } catch {
        unusable = UnusableEvaluatorKey(key: key, reason: "\(error)")
      }
    }
    // All of them have to be content, so that no spelling takes another one's evaluator away.
    evaluators = grouped.mapValues(Self.all)
    wildcards = below.mapValues(Self.all)
  }

  private static func all(_ evaluators: [any ServerTrustEvaluating]) -> any ServerTrustEvaluating {
    evaluators.count == 1 ? evaluators[0] : CompositeTrustEvaluator(evaluators: evaluators)
  }

  private static func host(_ key: String) throws(UnusableReason) -> String {
    let host: String
    do {
      host = try HostName.canonical(key)
    } catch {
      // Most of these are a URL or have a port: an IPv6 address without brackets would have been read.
      let isMore =
        !key.hasPrefix("[") && key.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
      throw UnusableReason(
        description: isMore
          ? "a key is a host alone, without scheme, port and path" : "it is not a host: \(error)")
    }
    guard !host.utf8.contains(UInt8(ascii: "*")) else {
      throw UnusableReason(
        description: "a wildcard is the whole first label and no other, as in *.example.org")
    }
    return host
  }

  /// What stands behind the wildcard.
  private static func parent(_ rest: String) throws(UnusableReason) -> String {
    let parent = try host(rest)
    // No name ends in a number (WHATWG URL §3.6), and the end of an address is not one.
    let end = parent.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
    guard !parent.utf8.contains(UInt8(ascii: ":")), !end.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else {
      throw UnusableReason(description: "a wildcard stands for names, not for addresses")
    }
    return parent
  }

  func evaluator(of host: String) -> (any ServerTrustEvaluating)? {
    let name = (try? HostName.canonical(host)) ?? host
    guard let zone = name.firstIndex(of: "%") else { return evaluators[name] ?? wildcard(over: name) }
    // Certificates know no zones, and a redirect may add one to any address: it must not lead around the address's own.
    let both = [evaluators[name], evaluators[String(name[..<zone])]].compactMap(\.self)
    return both.count > 1 ? CompositeTrustEvaluator(evaluators: both) : both.first
  }

  private func wildcard(over name: String) -> (any ServerTrustEvaluating)? {
    guard !wildcards.isEmpty, let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
    return wildcards[String(name[name.index(after: dot)...])]
  }

  /// Throws if an evaluator would never be asked.
  func check() throws {
    guard let unusable else { return }
    throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: unusable))
  }
}

/// Why a key is of no use, in words.
private struct UnusableReason: Error, CustomStringConvertible {
  let description: String
}

/// A key of a ``ServerTrustManager`` that no host has: its evaluator would never be asked.
struct UnusableEvaluatorKey: LocalizedError, CustomStringConvertible {
  let key: String
  let reason: String

  var errorDescription: String? { description }

  var description: String { "there cannot be a host for the evaluator of \"\(key)\": \(reason)" }
}
