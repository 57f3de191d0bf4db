// SPDX-License-Identifier: MIT
import AsyncHTTPClient
import BenchmarkHarness
import NIOCore
import NIOSSL

let assignment = Assignment()
var configuration = HTTPClient.Configuration()
configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = assignment.concurrency
configuration.httpVersion = .http1Only
if let authorities = assignment.authorities {
  var tls = TLSConfiguration.makeClientConfiguration()
  tls.trustRoots = .file(authorities)
  configuration.tlsConfiguration = tls
}
// Never shut down: the report ends the process.
let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
let url = assignment.url

switch assignment.mode {
case .small:
  assignment.run {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .minutes(1))
    guard response.status == .ok else { throw Unexpected(status: response.status.code) }
    return try await response.body.collect(upTo: 1 << 20).readableBytes
  }
case .stream:
  assignment.run {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .minutes(10))
    guard response.status == .ok else { throw Unexpected(status: response.status.code) }
    var bytes = 0
    for try await part in response.body { bytes += part.readableBytes }
    return bytes
  }
default:
  assignment.refuse()
}

struct Unexpected: Error { let status: UInt }
