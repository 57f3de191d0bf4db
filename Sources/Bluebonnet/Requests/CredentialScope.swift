// SPDX-License-Identifier: MIT

/// The origins with challenges that a request's credential answers; a proxy is none.
public enum CredentialScope: Sendable, Hashable {
  /// Those of the origin (scheme, host and port) that the request was made for. The default.
  case namedOrigin
  /// Those of every origin that a redirect leads to as well, as in Alamofire. A server that can redirect the request is
  /// given the credential.
  case anyOrigin
}
