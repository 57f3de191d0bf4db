// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@Suite struct URLCredentialStorageTests {
  private let storage = URLCredentialStorage()
  private let space = URLProtectionSpace(
    host: "example.org", port: 443, protocol: "https", realm: "r",
    authenticationMethod: NSURLAuthenticationMethodHTTPBasic)

  @Test func credentialsAreKeptBySpaceAndUser() {
    let a = URLCredential(user: "a", password: "1", persistence: .forSession)
    let b = URLCredential(user: "b", password: "2", persistence: .permanent)
    storage.set(a, for: space)
    #expect(storage.defaultCredential(for: space) == a)
    storage.set(b, for: space)
    #expect(storage.credentials(for: space) == ["a": a, "b": b])
    #expect(storage.defaultCredential(for: space) == nil)
    storage.setDefaultCredential(b, for: space)
    #expect(storage.defaultCredential(for: space) == b)
    storage.remove(b, for: space)
    #expect(storage.defaultCredential(for: space) == a)
    storage.remove(a, for: space)
    #expect(storage.allCredentials.isEmpty)
    #expect(storage.credentials(for: space) == nil)
  }

  @Test func whatIsNotToBeKeptIsNot() {
    storage.set(URLCredential(user: "a", password: "1", persistence: .none), for: space)
    storage.setDefaultCredential(URLCredential(user: "a", password: "1", persistence: .none), for: space)
    #expect(storage.allCredentials.isEmpty)
  }

  @Test func spacesDifferInAnyPart() {
    let others = [
      URLProtectionSpace(
        host: "x", port: 443, protocol: "https", realm: "r", authenticationMethod: space.authenticationMethod),
      URLProtectionSpace(
        host: "example.org", port: 80, protocol: "https", realm: "r",
        authenticationMethod: space.authenticationMethod),
      URLProtectionSpace(
        host: "example.org", port: 443, protocol: "http", realm: "r",
        authenticationMethod: space.authenticationMethod),
      URLProtectionSpace(
        host: "example.org", port: 443, protocol: "https", realm: nil,
        authenticationMethod: space.authenticationMethod),
      URLProtectionSpace(
        host: "example.org", port: 443, protocol: "https", realm: "r", authenticationMethod: nil),
    ]
    storage.set(URLCredential(user: "a", password: "1", persistence: .forSession), for: space)
    for other in others {
      #expect(other != space)
      #expect(storage.defaultCredential(for: other) == nil)
    }
    #expect(space.receivesCredentialSecurely && !space.isProxy())
  }

  @Test(arguments: ["EXAMPLE.org", "example.org.", "ex%61mple.org"])
  func aSpaceIsTheSameInEachSpellingOfItsHost(host: String) {
    let spelled = URLProtectionSpace(
      host: host, port: 443, protocol: "https", realm: "r",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    #expect(spelled == space && spelled.host == "example.org")
    storage.set(URLCredential(user: "a", password: "1", persistence: .forSession), for: spelled)
    #expect(storage.defaultCredential(for: space)?.user == "a")
  }

  @Test func removalTakesOptions() throws {
    var made: SecTrust?
    let certificate = SecCertificate(try CertificateAuthority().certificate)
    SecTrustCreateWithCertificates([certificate], SecPolicyCreateSSL(true, nil), &made)
    let trust = try #require(made)
    let a = URLCredential(user: "a", password: "1", persistence: .synchronizable)
    #expect(a.hasPassword && !URLCredential(trust: trust).hasPassword)
    storage.setDefaultCredential(a, for: space)
    storage.remove(
      URLCredential(user: "b", password: "1", persistence: .synchronizable), for: space, options: nil)
    // Another password is another credential.
    storage.remove(
      URLCredential(user: "a", password: "2", persistence: .synchronizable), for: space, options: nil)
    #expect(storage.defaultCredential(for: space) == a)
    storage.remove(a, for: space, options: [:])
    #expect(storage.defaultCredential(for: space) == nil && storage.allCredentials.isEmpty)
  }
}
