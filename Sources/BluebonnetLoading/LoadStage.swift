// SPDX-License-Identifier: MIT

/// The stages of a request on its way out, in the order in which it passes them.
package enum RequestStage: UInt8, Sendable, CaseIterable {
  /// Classes of the caller's (`URLProtocol`) may load it.
  case classes
  /// A URL of this machine: a file, or data in the URL itself.
  case local
  /// A response in the cache's memory that is fresh whatever the rules say in detail.
  case memory
  /// The rules of the cache (RFC 9111), and requests that ask the same at the same time.
  case cache
  /// As many requests are under way as the session allows.
  case turn
  /// Credentials for the origin (RFC 9110 §11.6).
  case origin
  /// Credentials for the proxy that the request itself goes to (§11.7).
  case proxy

  /// Several of them.
  package struct Set: OptionSet, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None. The empty literal goes through the generic initializer of all option sets at run time.
    package static var none: Set { Set(rawValue: 0) }
    private init(_ stage: RequestStage) { rawValue = 1 << stage.rawValue }

    package static var classes: Set { Set(.classes) }
    package static var local: Set { Set(.local) }
    package static var memory: Set { Set(.memory) }
    package static var cache: Set { Set(.cache) }
    package static var turn: Set { Set(.turn) }
    package static var origin: Set { Set(.origin) }
    package static var proxy: Set { Set(.proxy) }

    mutating func takeFirst() -> RequestStage? {
      rawValue.takeLowestBit().flatMap { RequestStage(rawValue: $0) }
    }
  }
}

/// The stages of a response, in the order in which it passes them. The first that has something to say about it decides.
package enum ResponseStage: UInt8, Sendable, CaseIterable {
  /// Cookies are kept, and stored responses forgotten that it makes invalid, before anything is decided by it.
  case storages
  /// The server does not know what `Expect` means (RFC 9110 §10.1.1).
  case expectation
  /// It validates a stored response, or a stored one stands in for it (RFC 9111 §4.3).
  case cache
  /// A challenge of the proxy's, or its proof.
  case proxy
  /// A challenge of the origin's, or its proof.
  case origin
  /// It sends the load elsewhere (RFC 9110 §15.4).
  case redirect

  /// Several of them.
  package struct Set: OptionSet, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None. The empty literal goes through the generic initializer of all option sets at run time.
    package static var none: Set { Set(rawValue: 0) }
    private init(_ stage: ResponseStage) { rawValue = 1 << stage.rawValue }

    package static var storages: Set { Set(.storages) }
    package static var expectation: Set { Set(.expectation) }
    package static var cache: Set { Set(.cache) }
    package static var proxy: Set { Set(.proxy) }
    package static var origin: Set { Set(.origin) }
    package static var redirect: Set { Set(.redirect) }

    mutating func takeFirst() -> ResponseStage? {
      rawValue.takeLowestBit().flatMap { ResponseStage(rawValue: $0) }
    }
  }
}

extension UInt8 {
  /// Clears the lowest bit that is set, and returns its place.
  fileprivate mutating func takeLowestBit() -> UInt8? {
    guard self != 0 else { return nil }
    defer { self &= self &- 1 }
    return UInt8(truncatingIfNeeded: trailingZeroBitCount)
  }
}
