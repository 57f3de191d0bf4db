// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTLS
import Testing

@testable import BluebonnetURLLoading

/// The marks by which sessions know that they trust the same and come as the same.
@Suite struct CacheTrustTests {
  private let certificates: [SecCertificate]
  private let credentials: [URLCredential]

  init() throws {
    let authority = try OriginAuthority()
    certificates = try [authority, OriginAuthority()].map {
      try #require(SecCertificate(pem: $0.certificate))
    }
    credentials = try ["alice.test", "bob.test"].map {
      let identity = try authority.issue(names: [.host($0)])
      return try URLCredential(
        certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8))
    }
  }

  private func mark(_ change: (inout URLSessionConfiguration.Settings) -> Void) -> String? {
    var values = URLSessionConfiguration.Settings()
    change(&values)
    return CacheTrust.mark(of: values)
  }

  /// Whatever differs in whom it trusts differs in its mark, also if names are made to look like marks.
  @Test func eachTrustHasItsOwn() {
    let anchors: [URLSessionConfiguration.TrustAnchors] = [
      .system, .file(path: "/a"), .file(path: "/b"), .directory(path: "/a"), .directory(path: "/b"),
      .file(path: "/a 6:file /b"), .certificates([]), .certificates([certificates[0]]),
      .certificates([certificates[1]]), .certificates(certificates), .several([]), .several([.system]),
      .several([.system, .file(path: "/a")]), .several([.file(path: "/a"), .file(path: "/b")]),
      .several([.file(path: "/a 7:file /b")]), .several([.directory(path: "/a"), .file(path: "/b")]),
      .several([.several([.file(path: "/a")]), .file(path: "/b")]),
    ]
    let lists = [
      RevocationListFiles(), RevocationListFiles(mustCoverChain: true), RevocationListFiles(paths: ["/l"]),
      RevocationListFiles(paths: ["/l"], mustCoverChain: true), RevocationListFiles(paths: ["/l", "/m"]),
      RevocationListFiles(paths: ["/l 2:/m"]),
    ]
    let shown: [[String: URLCredential]] = [
      [:], ["a.test": credentials[0]], ["a.test": credentials[1]], ["b.test": credentials[0]],
      ["*": credentials[0]], ["a.test": credentials[0], "b.test": credentials[1]],
      ["a.test": credentials[1], "b.test": credentials[0]],
    ]
    var marks: [String?] = []
    for anchors in anchors {
      for strictly in anchors == .system ? [false] : [false, true] {
        for lists in lists {
          for shown in shown {
            marks.append(
              mark {
                $0.trustAnchors = anchors
                $0.evaluatesOwnAnchorsStrictly = strictly
                $0.revocationListFiles = lists.paths
                $0.requiresRevocationLists = lists.mustCoverChain
                $0.clientCredentials = shown
              })
          }
        }
      }
    }
    #expect(marks.count == 33 * 6 * 7)
    #expect(Set(marks).count == marks.count)
    #expect(marks.first == .some(nil))
  }

  @Test func theOrderIsNoDifference() {
    #expect(
      mark { $0.trustAnchors = .several([.system, .file(path: "/a")]) }
        == mark { $0.trustAnchors = .several([.file(path: "/a"), .system]) })
    #expect(
      mark { $0.revocationListFiles = ["/l", "/m"] }
        == mark { $0.revocationListFiles = ["/m", "/l"] })
    // What is shown once more is the same, whoever has read it.
    let again = mark { $0.clientCredentials = ["a.test": credentials[0]] }
    #expect(again == mark { $0.clientCredentials = ["a.test": credentials[0]] })
  }
}
