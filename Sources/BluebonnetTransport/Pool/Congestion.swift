// SPDX-License-Identifier: MIT

/// The reason why a request did not get a connection in time.
package struct Congestion: Sendable, Equatable {
  package enum Scope: Sendable, Equatable {
    /// The connections to its own endpoint are in use.
    case endpoint
    /// All connections that its session may have are in use.
    case session
    /// The process has no descriptor left for another one.
    case descriptors
  }

  package let scope: Scope
  /// Connections being made or in use within the scope.
  package let connections: Int
  /// The number of them with responses held back: by suspended tasks, or because their bytes are not read.
  package let heldBack: Int
}

extension Congestion: CustomStringConvertible {
  package var description: String {
    let holders =
      heldBack == 0 ? "" : ", \(heldBack) of them by suspended tasks or unread responses"
    return switch scope {
    case .endpoint: "all \(connections) connections to the host are in use\(holders)"
    case .session: "all \(connections) connections of the session are in use\(holders)"
    case .descriptors:
      "there is no file descriptor left beside the session's \(connections) connections\(holders)"
    }
  }
}
