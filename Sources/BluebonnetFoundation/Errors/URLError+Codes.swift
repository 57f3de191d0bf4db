// SPDX-License-Identifier: MIT
#if !Foundation
  extension URLError.Code {
    /// The load was cancelled by the program.
    public static let cancelled = URLError.Code(rawValue: -999)
    /// The URL is malformed, or there is none.
    public static let badURL = URLError.Code(rawValue: -1000)
    /// A limit of time was exceeded.
    public static let timedOut = URLError.Code(rawValue: -1001)
    /// The scheme is not supported.
    public static let unsupportedURL = URLError.Code(rawValue: -1002)
    /// The host has no address.
    public static let cannotFindHost = URLError.Code(rawValue: -1003)
    /// The host was found, but accepts no connection.
    public static let cannotConnectToHost = URLError.Code(rawValue: -1004)
    /// The connection ended, or broke, before the load was complete.
    public static let networkConnectionLost = URLError.Code(rawValue: -1005)
    /// The name lookup failed for another reason than an unknown name.
    public static let dnsLookupFailed = URLError.Code(rawValue: -1006)
    /// The redirects do not end.
    public static let httpTooManyRedirects = URLError.Code(rawValue: -1007)
    /// The resource is not to be had.
    public static let resourceUnavailable = URLError.Code(rawValue: -1008)
    /// No network leads to the host.
    public static let notConnectedToInternet = URLError.Code(rawValue: -1009)
    /// A redirect leads to an address that cannot be loaded.
    public static let redirectToNonExistentLocation = URLError.Code(rawValue: -1010)
    /// The response makes no sense where it came.
    public static let badServerResponse = URLError.Code(rawValue: -1011)
    /// The program cancelled an authentication challenge.
    public static let userCancelledAuthentication = URLError.Code(rawValue: -1012)
    /// The load needs credentials, and there are none.
    public static let userAuthenticationRequired = URLError.Code(rawValue: -1013)
    /// A resource that should not be empty is.
    public static let zeroByteResource = URLError.Code(rawValue: -1014)
    /// The coding of the body is not supported.
    public static let cannotDecodeRawData = URLError.Code(rawValue: -1015)
    /// The coding of the body is broken.
    public static let cannotDecodeContentData = URLError.Code(rawValue: -1016)
    /// The response cannot be parsed.
    public static let cannotParseResponse = URLError.Code(rawValue: -1017)
    /// The load is in the clear, where only TLS is allowed.
    public static let appTransportSecurityRequiresSecureConnection = URLError.Code(rawValue: -1022)
    /// The file is not there.
    public static let fileDoesNotExist = URLError.Code(rawValue: -1100)
    /// The file is a directory.
    public static let fileIsDirectory = URLError.Code(rawValue: -1101)
    /// The file may not be read.
    public static let noPermissionsToReadFile = URLError.Code(rawValue: -1102)
    /// There is more than allowed.
    public static let dataLengthExceedsMaximum = URLError.Code(rawValue: -1103)
    /// No TLS connection could be made.
    public static let secureConnectionFailed = URLError.Code(rawValue: -1200)
    /// The certificate is not valid at this time.
    public static let serverCertificateHasBadDate = URLError.Code(rawValue: -1201)
    /// The certificate is not trusted.
    public static let serverCertificateUntrusted = URLError.Code(rawValue: -1202)
    /// The certificate's authority is unknown.
    public static let serverCertificateHasUnknownRoot = URLError.Code(rawValue: -1203)
    /// The certificate is not valid yet.
    public static let serverCertificateNotYetValid = URLError.Code(rawValue: -1204)
    /// The server refused the client's certificate.
    public static let clientCertificateRejected = URLError.Code(rawValue: -1205)
    /// A certificate of ours is needed.
    public static let clientCertificateRequired = URLError.Code(rawValue: -1206)
    /// Only the cache may answer, and it cannot.
    public static let cannotLoadFromNetwork = URLError.Code(rawValue: -2000)
    /// The file cannot be made.
    public static let cannotCreateFile = URLError.Code(rawValue: -3000)
    /// The file cannot be opened.
    public static let cannotOpenFile = URLError.Code(rawValue: -3001)
    /// The file cannot be closed.
    public static let cannotCloseFile = URLError.Code(rawValue: -3002)
    /// The file cannot be written.
    public static let cannotWriteToFile = URLError.Code(rawValue: -3003)
    /// The file cannot be removed.
    public static let cannotRemoveFile = URLError.Code(rawValue: -3004)
    /// The file cannot be moved.
    public static let cannotMoveFile = URLError.Code(rawValue: -3005)
    /// Decoding failed during the download.
    public static let downloadDecodingFailedMidStream = URLError.Code(rawValue: -3006)
    /// Decoding failed at the end of the download.
    public static let downloadDecodingFailedToComplete = URLError.Code(rawValue: -3007)
    /// The load needs roaming, and it is off.
    public static let internationalRoamingOff = URLError.Code(rawValue: -1018)
    /// A call is in the way.
    public static let callIsActive = URLError.Code(rawValue: -1019)
    /// The network allows no data.
    public static let dataNotAllowed = URLError.Code(rawValue: -1020)
    /// The body's stream is used up.
    public static let requestBodyStreamExhausted = URLError.Code(rawValue: -1021)
    /// A background session has no container.
    public static let backgroundSessionRequiresSharedContainer = URLError.Code(rawValue: -995)
    /// A background session is in use by another process.
    public static let backgroundSessionInUseByAnotherProcess = URLError.Code(rawValue: -996)
    /// A background session was cut off.
    public static let backgroundSessionWasDisconnected = URLError.Code(rawValue: -997)
    /// Something else failed.
    public static let unknown = URLError.Code(rawValue: -1)
  }

  extension URLError {
    /// The load was cancelled by the program.
    public static var cancelled: Code { .cancelled }
    /// The URL is malformed, or there is none.
    public static var badURL: Code { .badURL }
    /// A limit of time was exceeded.
    public static var timedOut: Code { .timedOut }
    /// The scheme is not supported.
    public static var unsupportedURL: Code { .unsupportedURL }
    /// The host has no address.
    public static var cannotFindHost: Code { .cannotFindHost }
    /// The host was found, but accepts no connection.
    public static var cannotConnectToHost: Code { .cannotConnectToHost }
    /// The connection ended, or broke, before the load was complete.
    public static var networkConnectionLost: Code { .networkConnectionLost }
    /// The name lookup failed for another reason than an unknown name.
    public static var dnsLookupFailed: Code { .dnsLookupFailed }
    /// The redirects do not end.
    public static var httpTooManyRedirects: Code { .httpTooManyRedirects }
    /// The resource is not to be had.
    public static var resourceUnavailable: Code { .resourceUnavailable }
    /// No network leads to the host.
    public static var notConnectedToInternet: Code { .notConnectedToInternet }
    /// A redirect leads to an address that cannot be loaded.
    public static var redirectToNonExistentLocation: Code { .redirectToNonExistentLocation }
    /// The response makes no sense where it came.
    public static var badServerResponse: Code { .badServerResponse }
    /// The program cancelled an authentication challenge.
    public static var userCancelledAuthentication: Code { .userCancelledAuthentication }
    /// The load needs credentials, and there are none.
    public static var userAuthenticationRequired: Code { .userAuthenticationRequired }
    /// A resource that should not be empty is.
    public static var zeroByteResource: Code { .zeroByteResource }
    /// The coding of the body is not supported.
    public static var cannotDecodeRawData: Code { .cannotDecodeRawData }
    /// The coding of the body is broken.
    public static var cannotDecodeContentData: Code { .cannotDecodeContentData }
    /// The response cannot be parsed.
    public static var cannotParseResponse: Code { .cannotParseResponse }
    /// The load is in the clear, where only TLS is allowed.
    public static var appTransportSecurityRequiresSecureConnection: Code {
      .appTransportSecurityRequiresSecureConnection
    }
    /// The file is not there.
    public static var fileDoesNotExist: Code { .fileDoesNotExist }
    /// The file is a directory.
    public static var fileIsDirectory: Code { .fileIsDirectory }
    /// The file may not be read.
    public static var noPermissionsToReadFile: Code { .noPermissionsToReadFile }
    /// There is more than allowed.
    public static var dataLengthExceedsMaximum: Code { .dataLengthExceedsMaximum }
    /// No TLS connection could be made.
    public static var secureConnectionFailed: Code { .secureConnectionFailed }
    /// The certificate is not valid at this time.
    public static var serverCertificateHasBadDate: Code { .serverCertificateHasBadDate }
    /// The certificate is not trusted.
    public static var serverCertificateUntrusted: Code { .serverCertificateUntrusted }
    /// The certificate's authority is unknown.
    public static var serverCertificateHasUnknownRoot: Code { .serverCertificateHasUnknownRoot }
    /// The certificate is not valid yet.
    public static var serverCertificateNotYetValid: Code { .serverCertificateNotYetValid }
    /// The server refused the client's certificate.
    public static var clientCertificateRejected: Code { .clientCertificateRejected }
    /// A certificate of ours is needed.
    public static var clientCertificateRequired: Code { .clientCertificateRequired }
    /// Only the cache may answer, and it cannot.
    public static var cannotLoadFromNetwork: Code { .cannotLoadFromNetwork }
    /// The file cannot be made.
    public static var cannotCreateFile: Code { .cannotCreateFile }
    /// The file cannot be opened.
    public static var cannotOpenFile: Code { .cannotOpenFile }
    /// The file cannot be closed.
    public static var cannotCloseFile: Code { .cannotCloseFile }
    /// The file cannot be written.
    public static var cannotWriteToFile: Code { .cannotWriteToFile }
    /// The file cannot be removed.
    public static var cannotRemoveFile: Code { .cannotRemoveFile }
    /// The file cannot be moved.
    public static var cannotMoveFile: Code { .cannotMoveFile }
    /// Decoding failed during the download.
    public static var downloadDecodingFailedMidStream: Code { .downloadDecodingFailedMidStream }
    /// Decoding failed at the end of the download.
    public static var downloadDecodingFailedToComplete: Code { .downloadDecodingFailedToComplete }
    /// The load needs roaming, and it is off.
    public static var internationalRoamingOff: Code { .internationalRoamingOff }
    /// A call is in the way.
    public static var callIsActive: Code { .callIsActive }
    /// The network allows no data.
    public static var dataNotAllowed: Code { .dataNotAllowed }
    /// The body's stream is used up.
    public static var requestBodyStreamExhausted: Code { .requestBodyStreamExhausted }
    /// A background session has no container.
    public static var backgroundSessionRequiresSharedContainer: Code {
      .backgroundSessionRequiresSharedContainer
    }
    /// A background session is in use by another process.
    public static var backgroundSessionInUseByAnotherProcess: Code { .backgroundSessionInUseByAnotherProcess }
    /// A background session was cut off.
    public static var backgroundSessionWasDisconnected: Code { .backgroundSessionWasDisconnected }
    /// Something else failed.
    public static var unknown: Code { .unknown }
  }
#endif
