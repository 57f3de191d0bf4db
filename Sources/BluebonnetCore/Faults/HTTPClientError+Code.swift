// SPDX-License-Identifier: MIT
extension HTTPClientError {
  /// The kind of failure. There may be more in later versions.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
      case invalidConfiguration, invalidURL, unsupportedScheme, invalidMethod, invalidField, invalidBody
      case requestBodyFailed, requestBodyNotReplayable
      case hostNotFound, notConnected, tlsFailed, untrustedServer, connectionLost
      case invalidResponse, invalidContent, bodyTooLarge, tooManyRedirects, invalidRedirect
      case timedOut, cancelled, internalFailure
    }

    private let name: Name

    private init(_ name: Name) { self.name = name }

    /// The code's name.
    public var description: String { name.rawValue }

    /// A member of the configuration cannot be honoured.
    public static let invalidConfiguration = Code(.invalidConfiguration)
    /// The URL is none, or names no host.
    public static let invalidURL = Code(.invalidURL)
    /// The URL's scheme is neither `http` nor `https`.
    public static let unsupportedScheme = Code(.unsupportedScheme)
    /// The method is no token (RFC 9110 §9.1), or CONNECT.
    public static let invalidMethod = Code(.invalidMethod)
    /// A field's name or value must not be sent, or the field is the client's own.
    public static let invalidField = Code(.invalidField)
    /// The body's length is negative, or the method has no body.
    public static let invalidBody = Code(.invalidBody)
    /// The pieces of the request's body threw an error, or came to another length than announced.
    public static let requestBodyFailed = Code(.requestBodyFailed)
    /// The request's body would have had to be sent again, and can be read only once.
    public static let requestBodyNotReplayable = Code(.requestBodyNotReplayable)
    /// The host has no address, or its name server does not answer.
    public static let hostNotFound = Code(.hostNotFound)
    /// No address of the host could be connected to.
    public static let notConnected = Code(.notConnected)
    /// TLS could not be agreed on, or broke.
    public static let tlsFailed = Code(.tlsFailed)
    /// The server's certificate does not hold.
    public static let untrustedServer = Code(.untrustedServer)
    /// The connection ended before the response did.
    public static let connectionLost = Code(.connectionLost)
    /// The response breaks the rules of HTTP/1.1.
    public static let invalidResponse = Code(.invalidResponse)
    /// The response's content is not coded as it says, or expands without measure.
    public static let invalidContent = Code(.invalidContent)
    /// The body is longer than `maximumBodySize`.
    public static let bodyTooLarge = Code(.bodyTooLarge)
    /// There were more redirects than `maximumRedirects`.
    public static let tooManyRedirects = Code(.tooManyRedirects)
    /// A redirect leads nowhere, or from `https` to `http`.
    public static let invalidRedirect = Code(.invalidRedirect)
    /// A step, or all of it, took longer than it may.
    public static let timedOut = Code(.timedOut)
    /// The task was cancelled.
    public static let cancelled = Code(.cancelled)
    /// Something failed that must not. Please report it.
    public static let internalFailure = Code(.internalFailure)
  }
}
