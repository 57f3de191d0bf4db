/// The purpose of a certificate (RFC 5280 §4.2.1.12), in OpenSSL's names of the rules for it.
package enum CertificatePurpose: String, Sendable, Hashable {
  case server = "ssl_server"
  case client = "ssl_client"
  case any = "default"
}
