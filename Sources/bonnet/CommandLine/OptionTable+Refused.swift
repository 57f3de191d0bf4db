// SPDX-License-Identifier: MIT
extension OptionTable {
  /// Options of curl that bonnet has not. Each keeps its place in the grammar, so that nothing is read as something else.
  static let refused: [OptionEntry<Command>] =
    refused(
      because: "it is for a protocol that is not supported; http and https are",
      """
      append,a compressed-ssh disable-eprt disable-epsv ftp-account=data ftp-alternative-to-user=command
      ftp-create-dirs ftp-method=method ftp-pasv ftp-port,P=address ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc
      ftp-ssl-ccc-mode=mode ftp-ssl-control hostpubmd5=hash hostpubsha256=hash krb=level list-only,l
      login-options=options mail-auth=address mail-from=address mail-rcpt=address mail-rcpt-allowfails
      pubkey=key quote,Q=command sasl-authzid=identity sasl-ir ssl ssl-reqd telnet-option,t=option=value
      tftp-blksize=value tftp-no-options use-ascii,B
      """)
    + refused(
      because: "it is not supported yet",
      """
      abstract-unix-socket=path aws-sigv4=provider delegation=level haproxy-protocol proxy-capath=directory
      proxy-cert=certificate[:password] proxy-cert-type=type proxy-ciphers=ciphers proxy-crlfile=file
      proxy-key=key proxy-key-type=type proxy-pass=phrase proxy-pinnedpubkey=hashes proxy-service-name=name
      proxy-tls13-ciphers=ciphers proxy-tlsv1 service-name=name socks5-basic socks5-gssapi socks5-gssapi-nec
      socks5-gssapi-service=name tcp-fastopen xattr
      """)
    + refused(
      because: "there is nothing that it applies to",
      """
      egd-file=file engine=name false-start metalink proxy-ssl-allow-beast proxy-ssl-auto-client-cert
      proxy-tlsauthtype=type proxy-tlspassword=password proxy-tlsuser=name random-file=file ssl-allow-beast
      ssl-auto-client-cert ssl-no-revoke ssl-revoke-best-effort tlsauthtype=type tlspassword=password
      tlsuser=name npn
      """)
    + refused(
      because: "names are looked up by the system's resolver",
      """
      dns-interface=interface dns-ipv4-addr=address dns-ipv6-addr=address dns-servers=addresses
      doh-cert-status doh-insecure doh-url=URL
      """)
    + refused(
      because: "HTTP/1.1 and HTTP/1.0 are supported", "http0.9 http2-prior-knowledge http3 http3-only")
    + refused(because: "alternative services are not supported", "alt-svc=file")
    + refused(because: "HSTS is not supported", "hsts=file")
    + refused(
      because: "the length says where a body ends (RFC 9112 §6.3)", "ignore-content-length")
    + refused(because: "bonnet is not built on libcurl", "libcurl=file")
    + refused(because: "winbind is not used", "ntlm-wb")
    + refused(
      because: "a proxy in front of the proxy is not supported", "preproxy=[scheme://]host[:port]")
    + refused(because: "SSL 2 is not supported (RFC 6176)", "sslv2,2")
    + refused(because: "SSL 3 is not supported (RFC 7568)", "sslv3,3")

  /// - Parameter words: `name`, `name,letter`, `name=value` or `name,letter=value`.
  private static func refused(because reason: String, _ words: String) -> [OptionEntry<Command>] {
    words.split(whereSeparator: \.isWhitespace).map { word in
      let halves = word.split(separator: "=", maxSplits: 1)
      let names = halves[0].split(separator: ",")
      return .refused(
        String(names[0]), names.count > 1 ? names[1].first : nil,
        halves.count > 1 ? String(halves[1]) : nil, because: reason)
    }
  }
}
