// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// What the API needs of `URLError` and of errors in words, whether they are Foundation's or our own.
@Suite struct ErrorTests {
  /// Every code with Apple's number.
  static let codes: [(URLError.Code, Int)] = [
    (.unknown, -1), (.backgroundSessionRequiresSharedContainer, -995),
    (.backgroundSessionInUseByAnotherProcess, -996),
    (.backgroundSessionWasDisconnected, -997), (.cancelled, -999), (.badURL, -1000), (.timedOut, -1001),
    (.unsupportedURL, -1002), (.cannotFindHost, -1003), (.cannotConnectToHost, -1004),
    (.networkConnectionLost, -1005),
    (.dnsLookupFailed, -1006), (.httpTooManyRedirects, -1007), (.resourceUnavailable, -1008),
    (.notConnectedToInternet, -1009), (.redirectToNonExistentLocation, -1010), (.badServerResponse, -1011),
    (.userCancelledAuthentication, -1012), (.userAuthenticationRequired, -1013), (.zeroByteResource, -1014),
    (.cannotDecodeRawData, -1015), (.cannotDecodeContentData, -1016), (.cannotParseResponse, -1017),
    (.internationalRoamingOff, -1018), (.callIsActive, -1019), (.dataNotAllowed, -1020),
    (.requestBodyStreamExhausted, -1021), (.appTransportSecurityRequiresSecureConnection, -1022),
    (.fileDoesNotExist, -1100), (.fileIsDirectory, -1101), (.noPermissionsToReadFile, -1102),
    (.dataLengthExceedsMaximum, -1103), (.secureConnectionFailed, -1200),
    (.serverCertificateHasBadDate, -1201),
    (.serverCertificateUntrusted, -1202), (.serverCertificateHasUnknownRoot, -1203),
    (.serverCertificateNotYetValid, -1204), (.clientCertificateRejected, -1205),
    (.clientCertificateRequired, -1206),
    (.cannotLoadFromNetwork, -2000), (.cannotCreateFile, -3000), (.cannotOpenFile, -3001),
    (.cannotCloseFile, -3002),
    (.cannotWriteToFile, -3003), (.cannotRemoveFile, -3004), (.cannotMoveFile, -3005),
    (.downloadDecodingFailedMidStream, -3006), (.downloadDecodingFailedToComplete, -3007),
  ]

  @Test func codesHaveApplesNumbers() {
    for (code, number) in Self.codes {
      #expect(code.rawValue == number)
      #expect(URLError(code).errorCode == number)
      #expect(URLError.Code(rawValue: number) == code)
    }
    #expect(Set(Self.codes.map(\.1)).count == 48)
    #expect(URLError.timedOut == .timedOut && URLError.cancelled == .cancelled)
    #expect(URLError.errorDomain == "NSURLErrorDomain" && NSURLErrorDomain == "NSURLErrorDomain")
  }

  @Test func anErrorKeepsWhatItIsGiven() throws {
    let url = try #require(URL(string: "http://a.test/"))
    let error = URLError(
      .timedOut,
      userInfo: [
        NSLocalizedDescriptionKey: "It took too long.", NSURLErrorFailingURLErrorKey: url, "more": 7,
        NSUnderlyingErrorKey: URLError(.badURL),
      ])
    #expect(error.code == .timedOut)
    #expect(error.failingURL == url)
    #expect(error.localizedDescription == "It took too long.")
    #expect(error.userInfo["more"] as? Int == 7)
    #expect(error.errorUserInfo["more"] as? Int == 7)
    #expect((error.errorUserInfo[NSUnderlyingErrorKey] as? URLError)?.code == .badURL)
  }

  @Test func errorsMatchTheirCodes() {
    func code(of error: any Error) -> String {
      do { throw error } catch URLError.timedOut { return "timedOut" } catch { return "other" }
    }
    #expect(code(of: URLError(.timedOut)) == "timedOut")
    #expect(code(of: URLError(.cancelled)) == "other")
    #expect(code(of: Plain()) == "other")
    #expect(URLError(.timedOut) == URLError(.timedOut))
    #expect(URLError(.timedOut) != URLError(.cancelled))
  }

  private struct Plain: Error {}

  private struct Told: LocalizedError {
    let errorDescription: String? = "in words"
  }

  @Test func errorsHaveWords() {
    #expect((Told() as any Error).localizedDescription == "in words")
    #expect(!(Plain() as any Error).localizedDescription.isEmpty)
    #expect(!URLError(.timedOut).localizedDescription.isEmpty)
  }
}
