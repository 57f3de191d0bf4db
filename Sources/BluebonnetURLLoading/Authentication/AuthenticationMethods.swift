/// The protection space's protocol decides; a space made without a method has this one.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// A name and a password, in Base 64 (RFC 7617). Answered with a `URLCredential` that has both.
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// A name and a proof of the password (RFC 7616). Not answered on Linux yet.
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// A form on a page. Never asked for by this package.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// NTLM, which authenticates a connection. Not answered on Linux.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Kerberos or NTLM in SPNEGO (RFC 4559). Not answered on Linux.
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"
/// A certificate of the caller's, in TLS. Not answered on Linux yet.
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
