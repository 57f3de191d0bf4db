// SPDX-License-Identifier: MIT

/// The Online Certificate Status Protocol (RFC 6960): what the server has stapled, then responders.
public let kSecRevocationOCSPMethod: UInt = 1 << 0
/// Certificate revocation lists (RFC 5280 §5): those that came with the anchors or from files, then distribution points.
public let kSecRevocationCRLMethod: UInt = 1 << 1
/// Lists are asked before OCSP, fetched ones before what the server has stapled.
public let kSecRevocationPreferCRL: UInt = 1 << 2
/// Without an answer that says good the evaluation fails.
public let kSecRevocationRequirePositiveResponse: UInt = 1 << 3
/// Nothing is fetched: only answers that are there already count.
public let kSecRevocationNetworkAccessDisabled: UInt = 1 << 4
/// OCSP and lists.
public let kSecRevocationUseAnyAvailableMethod: UInt = kSecRevocationOCSPMethod | kSecRevocationCRLMethod
