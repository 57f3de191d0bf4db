import BluebonnetFoundation
import BluebonnetURLLoading

/// A manager's evaluators by the canonical form of their hosts.
struct HostEvaluators: Sendable {
  private var evaluators: [String: any ServerTrustEvaluating] = [:]
  private var unusable: UnusableEvaluatorKey?

  init(_ stated: [String: any ServerTrustEvaluating]) {
    var grouped: [String: [any ServerTrustEvaluating]] = [:]
    // Sorted, so that nothing depends on the dictionary's order.
    for (key, evaluator) in stated.sorted(by: { $0.key < $1.key }) {
      do {
        let host = try HostName.canonical(key)
        if host.utf8.contains(UInt8(ascii: "*")) {
          unusable = UnusableEvaluatorKey(key: key, reason: "wildcards need a subclass of ServerTrustManager")
        }
        grouped[host, default: []].append(evaluator)
      } catch {
        // Most of these are a URL or have a port: an IPv6 address without brackets would have been read.
        let isMore =
          !key.hasPrefix("[") && key.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        unusable = UnusableEvaluatorKey(
          key: key,
          reason: isMore
            ? "a key is a host alone, without scheme, port and path" : "it is not a host: \(error)")
      }
    }
    // All of them have to be content, so that no spelling takes another one's evaluator away.
    evaluators = grouped.compactMapValues { $0.count == 1 ? $0[0] : CompositeTrustEvaluator(evaluators: $0) }
  }

  func evaluator(of host: String) -> (any ServerTrustEvaluating)? {
    let name = (try? HostName.canonical(host)) ?? host
    guard let zone = name.firstIndex(of: "%") else { return evaluators[name] }
    // Certificates know no zones, and a redirect may add one to any address: it must not lead around the address's own.
    let both = [evaluators[name], evaluators[String(name[..<zone])]].compactMap(\.self)
    return both.count > 1 ? CompositeTrustEvaluator(evaluators: both) : both.first
  }

  /// Throws if an evaluator would never be asked.
  func check() throws {
    guard let unusable else { return }
    throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: unusable))
  }
}

/// A key of a ``ServerTrustManager`` that no host has: its evaluator would never be asked.
struct UnusableEvaluatorKey: LocalizedError, CustomStringConvertible {
  let key: String
  let reason: String

  var errorDescription: String? { description }

  var description: String { "there cannot be a host for the evaluator of \"\(key)\": \(reason)" }
}
