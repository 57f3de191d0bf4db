// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// The article *What works on Linux* has a row for every public member of the types that it is about.
@Suite struct WhatWorksTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The types whose members are settings, questions or wishes of the user's.
  static let types = [
    "URLSessionConfiguration", "URLRequest", "URLSession", "URLSessionTask", "URLSessionDownloadTask",
    "URLSessionWebSocketTask", "URLSessionWebSocketDelegate",
    "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate", "URLSessionDownloadDelegate",
    "URLProtocol", "URLProtocolClient", "URLCache", "CachedURLResponse", "HTTPCookieStorage",
    "URLCredentialStorage",
    "NSURLRequest",
    "NSMutableURLRequest",
  ]

  private static let statuses: Set<String> = ["works", "has no meaning on Linux", "refused"]

  /// The statuses of a section's members.
  private func rows(of type: String) throws -> [(member: String, status: String)] {
    let article = try String(
      contentsOf: Self.root.appendingPathComponent("Sources/Bluebonnet/Bluebonnet.docc/WhatWorksOnLinux.md"),
      encoding: .utf8)
    let section = try #require(article.components(separatedBy: "\n## \(type)\n").dropFirst().first)
    return section.components(separatedBy: "\n## ")[0].split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `") else { return nil }
      let cells = line.split(separator: "|").map { String($0.dropFirst().dropLast()) }
      return (cells[0].filter { $0 != "`" }, cells[1])
    }
  }

  @Test(arguments: types) func everyMemberHasAStatus(_ type: String) throws {
    let members = try PublicMembers(
      sourcesIn: Self.root.appendingPathComponent("Sources/BluebonnetURLLoading"),
      Self.root.appendingPathComponent("Sources/BluebonnetMessages")
    ).types[type]
    let rows = try rows(of: type)
    let listed = Set(rows.map(\.member))
    let declared = try #require(members)
    #expect(declared.count > 1)
    #expect(declared.subtracting(listed).sorted() == [], "not in the article")
    #expect(listed.subtracting(declared).sorted() == [], "not in the sources")
    #expect(listed.count == rows.count, "twice in the article")
    for row in rows { #expect(Self.statuses.contains(row.status), "\(row.member): \(row.status)") }
  }

  /// What is refused by name in the sources is so in the article.
  @Test func whatIsRefusedIsSaid() throws {
    for (type, member) in [
      ("URLSessionConfiguration", "requiresDNSSECValidation"),
      ("URLSessionConfiguration", "background(withIdentifier:)"),
      ("URLRequest", "requiresDNSSECValidation"), ("URLRequest", "cookiePartitionIdentifier"),
      ("URLSession", "ResponseDisposition.becomeStream"),
    ] {
      #expect(try rows(of: type).first { $0.member == member }?.status == "refused", "\(type).\(member)")
    }
  }
}
