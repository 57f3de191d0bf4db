// SPDX-License-Identifier: MIT

/// The code that a Security function answers with.
public typealias OSStatus = Int32

/// The call has succeeded.
public let errSecSuccess: OSStatus = 0
/// An argument is not acceptable, such as an empty list.
public let errSecParam: OSStatus = -50
/// The password is wrong, or the data are damaged.
public let errSecAuthFailed: OSStatus = -25293
/// The data need a password, and none was given.
public let errSecPassphraseRequired: OSStatus = -25260
/// The data are malformed, or protected in a way that is not supported.
public let errSecDecode: OSStatus = -26275
/// The certificate is for another host than the one that was asked for.
public let errSecHostNameMismatch: OSStatus = -67602
/// Whether the certificate was revoked could not be found out.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// There is no such form of keys of this kind.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// The certificate's last day is over.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate's first day has not come.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate's authority has revoked it.
public let errSecCertificateRevoked: OSStatus = -67820
/// The chain does not end at anything that is trusted.
public let errSecNotTrusted: OSStatus = -67843
