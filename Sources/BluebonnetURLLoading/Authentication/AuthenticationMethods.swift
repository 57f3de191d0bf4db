/// Whatever the protocol usually takes.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// Basic (RFC 7617).
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// Digest (RFC 7616).
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// A form on a page.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// NTLM.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Negotiate (RFC 4559).
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"
/// A certificate of the caller's.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
/// The peer's certificates are to be judged.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// The name of HTTP in a protection space.
public let NSURLProtectionSpaceHTTP = "http"
/// The name of HTTPS in a protection space.
public let NSURLProtectionSpaceHTTPS = "https"
/// The name of an HTTP proxy in a protection space.
public let NSURLProtectionSpaceHTTPProxy = "http"
/// The name of an HTTPS proxy in a protection space.
public let NSURLProtectionSpaceHTTPSProxy = "https"
