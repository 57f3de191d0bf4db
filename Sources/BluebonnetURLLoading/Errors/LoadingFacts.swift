// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// The facts about a failed load, behind the words of its error.
struct LoadingFacts: Sendable, Hashable {
  /// The key in an error's user info.
  static let key = "BluebonnetLoadingFacts"

  let phase: LoadingPhase
  let fault: LoadingFault
  /// The method of the request, if it is known.
  let method: String?
  /// Why the load ended, without repeating the phase.
  let reason: String
}

extension LoadingFacts: CustomStringConvertible {
  /// Short, because printed errors show all of their user info.
  var description: String { "\(phase), \(fault)" }
}

extension URLError {
  var loadingFacts: LoadingFacts? { errorUserInfo[LoadingFacts.key] as? LoadingFacts }

  /// The phase that the load had reached when it failed; nil for errors that come from elsewhere, such as a `URLProtocol`.
  ///
  /// The same for every layer: with ``transportFailure`` it is that one's phase, too.
  public var loadingPhase: LoadingPhase? { loadingFacts?.phase }

  /// The party at fault for the load's failure: the caller, the server, the network, or this machine; nil for errors that
  /// come from elsewhere, such as a `URLProtocol`.
  public var loadingFault: LoadingFault? { loadingFacts?.fault }
}

extension LoadingFault {
  /// The party at fault where no exchange failed, as far as code and phase tell.
  init(_ code: URLError.Code, during phase: LoadingPhase) {
    self =
      switch code {
      case .cancelled, .userCancelledAuthentication, .requestBodyStreamExhausted, .resourceUnavailable,
        .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotOpenFile:
        .caller
      case .httpTooManyRedirects, .redirectToNonExistentLocation: .server
      // The server's address rather than the caller's, where it comes from a redirect.
      case .badURL, .unsupportedURL, .cannotFindHost: phase == .redirecting ? .server : .caller
      case .timedOut: phase.faultOfSilence
      case .cannotCreateFile, .cannotWriteToFile, .cannotCloseFile, .cannotMoveFile, .cannotRemoveFile: .local
      // It asks for an unsupported scheme.
      case .userAuthenticationRequired: .local
      case .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet, .dnsLookupFailed: .network
      default: phase == .preparing ? .caller : .server
      }
  }
}
