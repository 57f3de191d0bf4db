// SPDX-License-Identifier: MIT

/// Any scheme: a space made without a method has this one, and a credential that is stored for it is tried for each.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// A name and a password, in Base 64 (RFC 7617). Answered with a `URLCredential` that has both.
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// A name and a proof of the password (RFC 7616). Answered with a `URLCredential` that has both.
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// A form on a page. Never asked for by this package.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// NTLM, which authenticates a connection; version 2 only. Answered with a `URLCredential` that has a name, such as
/// `DOMAIN\user`, and a password.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Kerberos in SPNEGO (RFC 4559). Answered with a `URLCredential` of an empty name and an empty password: it stands for the
/// ticket in the caller's credential cache.
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"
/// A certificate of the caller's, in TLS: the protection space has `distinguishedNames` and `clientKeyTypes`. Answered with a
/// `URLCredential` that has an identity.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
/// The server's certificates are to be evaluated: the protection space has a `serverTrust`. Works.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// The name of HTTP in a protection space.
public let NSURLProtectionSpaceHTTP = "http"
/// The name of HTTPS in a protection space.
public let NSURLProtectionSpaceHTTPS = "https"
/// The name of an HTTP proxy in a protection space.
public let NSURLProtectionSpaceHTTPProxy = "http"
/// The name of an HTTPS proxy in a protection space.
public let NSURLProtectionSpaceHTTPSProxy = "https"
