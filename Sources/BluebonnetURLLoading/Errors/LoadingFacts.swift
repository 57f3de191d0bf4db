import BluebonnetFoundation
import BluebonnetSemantics

/// What is known of a load that failed, behind the words of its error.
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

  /// What the load was doing when it failed; nil for errors that come from elsewhere, such as a `URLProtocol`.
  ///
  /// The same for every layer: with ``transportFailure`` it is that one's phase, too.
  public var loadingPhase: LoadingPhase? { loadingFacts?.phase }

  /// Whose fault it was that the load failed: the caller's, the server's, the network's, or this machine's; nil for errors that
  /// come from elsewhere, such as a `URLProtocol`.
  public var loadingFault: LoadingFault? { loadingFacts?.fault }
}

extension LoadingFault {
  /// Whose fault it is where no exchange failed, as far as code and phase tell.
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
      // It asks for what is not supported here.
      case .userAuthenticationRequired: .local
      case .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet, .dnsLookupFailed: .network
      default: phase == .preparing ? .caller : .server
      }
  }
}
