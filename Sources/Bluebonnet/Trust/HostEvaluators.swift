// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A manager's evaluators by the hosts that they are for.
struct HostEvaluators: Sendable {
  private var evaluators: [HostPattern: any ServerTrustEvaluating] = [:]
  private var unusable: UnusableEvaluatorKey?

  init(_ stated: [String: any ServerTrustEvaluating]) {
    var grouped: [HostPattern: [any ServerTrustEvaluating]] = [:]
    // Sorted, so that nothing depends on the dictionary's order.
    for (key, evaluator) in stated.sorted(by: { $0.key < $1.key }) {
      do throws(HostPattern.Unusable) {
        grouped[try HostPattern(key), default: []].append(evaluator)
      } catch {
        unusable = UnusableEvaluatorKey(key: key, reason: error.description)
      }
    }
    // All of them have to be content, so that no spelling takes another one's evaluator away.
    evaluators = grouped.mapValues(Self.all)
  }

  private static func all(_ evaluators: [any ServerTrustEvaluating]) -> any ServerTrustEvaluating {
    evaluators.count == 1 ? evaluators[0] : CompositeTrustEvaluator(evaluators: evaluators)
  }

  func evaluator(of host: String) -> (any ServerTrustEvaluating)? {
    let candidates = HostPattern.candidates(for: host)
    let found = candidates.compactMap { evaluators[$0] }
    // Of an address with a zone, both forms have to be content.
    if found.count > 1, case .host = candidates[1] { return CompositeTrustEvaluator(evaluators: found) }
    return found.first
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
