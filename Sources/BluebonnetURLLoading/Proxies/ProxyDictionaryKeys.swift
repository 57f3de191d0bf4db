// SPDX-License-Identifier: MIT

// The keys of `URLSessionConfiguration.connectionProxyDictionary`, as CFNetwork names them.

/// Whether http goes through a proxy; a number or a truth value.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The host of the proxy for http.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for http; 80 if there is none.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// Whether https goes through a proxy, by a tunnel; a number or a truth value.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The host of the proxy for https. Its own protocol is plain HTTP.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for https; 443 if there is none.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// Whether requests without a proxy of their own go through a SOCKS proxy; a number or a truth value.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The host of the SOCKS proxy, which looks names up. The key `SOCKSVersion` says which version it speaks, 4 or 5, or as
/// `kCFStreamSocketSOCKSVersion4` and `…5`; 5 if there is none. Any other is refused.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; 1080 if there is none.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// The hosts that go without a proxy, a list of strings: names, patterns with `*` for any characters (`*.example.com`), addresses
/// and networks (`169.254/16`).
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"
/// Whether names without a dot go without a proxy; a number or a truth value.
public let kCFNetworkProxiesExcludeSimpleHostnames = "ExcludeSimpleHostnames"
/// Whether a script chooses the proxy. Refused: scripts are not run here.
public let kCFNetworkProxiesProxyAutoConfigEnable = "ProxyAutoConfigEnable"
/// The URL of a script that chooses the proxy. Refused, unless it is switched off.
public let kCFNetworkProxiesProxyAutoConfigURLString = "ProxyAutoConfigURLString"
/// The script that chooses the proxy. Refused, unless it is switched off.
public let kCFNetworkProxiesProxyAutoConfigJavaScript = "ProxyAutoConfigJavaScript"
/// Whether the script that chooses the proxy is looked for in the network. Refused.
public let kCFNetworkProxiesProxyAutoDiscoveryEnable = "ProxyAutoDiscoveryEnable"
/// The name of the proxies' user.
public let kCFProxyUsernameKey = "kCFProxyUsernameKey"
/// The password of that user.
public let kCFProxyPasswordKey = "kCFProxyPasswordKey"
