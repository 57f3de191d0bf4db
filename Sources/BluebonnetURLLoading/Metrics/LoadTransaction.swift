// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetTransport

/// One request of a load and its response, as it becomes part of the task's metrics.
package enum LoadTransaction {
  case none
  /// It did not go over the network, or its measurements have been asked for.
  case measured(URLSessionTaskTransactionMetrics)
  /// An exchange that has ended keeps its measurements until they are asked for.
  case exchange(RequestDriver, URLRequest, HTTPURLResponse?)

  /// The measurements as an object.
  func metrics(clock: ClockAnchor) -> URLSessionTaskTransactionMetrics? {
    switch self {
    case .none: return nil
    case .measured(let metrics): return metrics
    case .exchange(let exchange, let request, let response):
      return URLSessionTaskTransactionMetrics(
        exchange.withMetrics { .init(request: request, response: response, metrics: $0, clock: clock) })
    }
  }
}
