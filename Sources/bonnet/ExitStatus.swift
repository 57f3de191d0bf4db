// SPDX-License-Identifier: MIT
import Bluebonnet

/// The exit codes of curl that apply here, so that scripts need not change.
enum ExitStatus: Int32, CaseIterable, Error {
  case success = 0
  case unsupportedScheme = 1
  case usage = 2
  case badURL = 3
  case notBuiltIn = 4
  case unresolvedProxy = 5
  case unresolvedHost = 6
  case refused = 7
  case malformedResponse = 8
  case cutShort = 18
  case errorStatus = 22
  case writeFailed = 23
  case uploadFailed = 25
  case readFailed = 26
  case outOfMemory = 27
  case timedOut = 28
  case rangeRefused = 33
  case noTLS = 35
  case badResume = 36
  case interrupted = 42
  case badArgument = 43
  case badInterface = 45
  case tooManyRedirects = 47
  case badOption = 49
  case emptyReply = 52
  case sendFailed = 55
  case receiveFailed = 56
  case badClientCertificate = 58
  case badCiphers = 59
  case badCertificate = 60
  case badCoding = 61
  case tooLarge = 63
  case cannotRewind = 65
  case loginDenied = 67
  case badAuthorities = 77
  case badRevocationLists = 82
  case badPin = 90
  case badCertificateStatus = 91
  case badAuthentication = 94
  case badProxy = 97

  /// For failures that did not come from the network.
  static func status(of code: URLError.Code) -> ExitStatus {
    switch code {
    case .badURL: .badURL
    case .unsupportedURL: .unsupportedScheme
    case .cannotFindHost, .dnsLookupFailed: .unresolvedHost
    case .cannotConnectToHost, .notConnectedToInternet: .refused
    case .timedOut: .timedOut
    case .httpTooManyRedirects: .tooManyRedirects
    case .redirectToNonExistentLocation: .badURL
    case .secureConnectionFailed: .noTLS
    case .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot,
      .serverCertificateUntrusted:
      .badCertificate
    case .cannotDecodeContentData, .cannotDecodeRawData: .badCoding
    case .cannotParseResponse, .badServerResponse: .malformedResponse
    case .cannotWriteToFile, .cannotCreateFile, .cannotCloseFile: .writeFailed
    case .requestBodyStreamExhausted, .cannotOpenFile: .readFailed
    case .cancelled: .interrupted
    default: .receiveFailed
    }
  }
}
