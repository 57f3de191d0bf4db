// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc
import BluebonnetSemantics

/// Why there is no connection.
package enum ConnectError: Error, Equatable, Sendable {
  /// The caller's host or path cannot name anything; nothing was asked of the network.
  case invalidTarget(InvalidHost)
  /// The resolver has no address for the host.
  case unresolved(LookupFailure)
  /// No address could be connected to. The error is the most telling one, of the address given.
  case failed(SystemError, address: SocketAddress?)
  /// The deadline came first, while resolving or connecting.
  case timedOut(LoadingPhase)
  /// The caller gave up.
  case cancelled

  /// There was no descriptor to look the host up or to connect with.
  package var isDescriptorShortage: Bool {
    switch self {
    case .unresolved(let failure): failure.isDescriptorShortage
    case .failed(let error, _): error.isDescriptorShortage
    case .invalidTarget, .timedOut, .cancelled: false
    }
  }

  /// Whether the host is there, but does not listen on that port or path.
  package var isRefused: Bool {
    guard case .failed(let error, _) = self else { return false }
    return error.errno == ECONNREFUSED
  }
}

extension ConnectError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidTarget(let reason): "invalid host: \(reason)"
    case .unresolved(let failure): "could not resolve \(failure.host): \(failure.reason)"
    case .failed(_, let address?) where isRefused: "\(address) refused the connection"
    case .failed(let error, let address?): "\(address): \(error.reason)"
    case .failed(let error, nil): error.reason
    case .timedOut(let phase): "timed out while \(phase.rawValue)"
    case .cancelled: "cancelled while connecting"
    }
  }
}
