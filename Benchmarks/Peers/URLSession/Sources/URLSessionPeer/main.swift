// SPDX-License-Identifier: MIT
import BenchmarkHarness
import Foundation
import FoundationNetworking

let assignment = Assignment()
// FoundationNetworking trusts the system's bundle and can't be told about another authority.
if assignment.authorities != nil { throw URLError(.unsupportedURL) }
guard let url = URL(string: assignment.url) else { throw URLError(.badURL) }
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = assignment.concurrency
configuration.urlCache = nil

switch assignment.mode {
case .small:
  let session = URLSession(configuration: configuration)
  assignment.run {
    let (data, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Unexpected() }
    return data.count
  }
case .stream:
  let counter = Counter()
  let session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
  assignment.run {
    try await withCheckedThrowingContinuation { continuation in
      counter.expect(continuation)
      session.dataTask(with: url).resume()
    }
  }
default:
  assignment.refuse()
}

struct Unexpected: Error {}
