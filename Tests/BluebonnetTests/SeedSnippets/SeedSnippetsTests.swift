// SPDX-License-Identifier: MIT

// No `@testable` in these files: they see what users see.
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

/// Every call that the matched API's guides show, with their labels and trailing closures, on the origin.
///
/// A suite for each chapter and a test for each example, named for the section that it stands in. An ellipsis of theirs
/// is an address of the origin here, and what they print is expected here.
@Suite struct SeedSnippetsTests {
  /// What the examples call so, in the network within the process.
  static let AF = Session(configuration: .af.default.inMemory())

  /// What the origin says that it was asked.
  struct Echo: Decodable, Sendable {
    struct Field: Decodable, Sendable {
      let name: String
      let value: String
    }

    let url: String
    let headers: [Field]
    let data: String?
    let form: [String: String]?
    let args: [String: String]?

    func values(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
  }

  /// Sends a request that has no handler of its own, as many of the guides' have none, and waits for the answer.
  static func sent(_ request: DataRequest) async -> AFDataResponse<Data> {
    await request.serializingData().response
  }

  /// A configuration that trusts the origin's own authority.
  static func configuration(trusting origin: Origin) throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.af.default
    let authority = try #require(SecCertificate(pem: origin.authority ?? ""))
    configuration.trustAnchors = .certificates([authority])
    return configuration
  }
}

extension Recorder {
  /// The first entry, as soon as there is one.
  func first(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Entry {
    await Eventually.expect("Something was handed over.", sourceLocation: sourceLocation) {
      !self.entries.isEmpty
    }
    return try #require(entries.first, sourceLocation: sourceLocation)
  }
}
