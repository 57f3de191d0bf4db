// SPDX-License-Identifier: MIT
extension LoadingPhase {
  /// The party at fault if nothing happens for too long.
  package var faultOfSilence: LoadingFault {
    switch self {
    case .waitingForTurn, .waitingForConnection, .storing: .local
    case .resolving, .connecting, .tunnelling: .network
    case .preparing, .evaluatingTrust, .cancelling: .caller
    case .securing, .sending, .waiting, .receivingHead, .receivingBody, .exchangingMessages, .decoding,
      .redirecting:
      .server
    }
  }
}
