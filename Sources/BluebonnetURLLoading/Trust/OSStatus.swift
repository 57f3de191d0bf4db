/// The code that a Security function answers with.
public typealias OSStatus = Int32

/// It worked.
public let errSecSuccess: OSStatus = 0
/// An argument makes no sense.
public let errSecParam: OSStatus = -50
/// The certificate is for another name.
public let errSecHostNameMismatch: OSStatus = -67602
/// Whether the certificate was revoked could not be found out.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The chain does not end at anything that is trusted.
public let errSecNotTrusted: OSStatus = -67843
