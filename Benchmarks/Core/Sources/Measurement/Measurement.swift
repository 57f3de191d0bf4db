// SPDX-License-Identifier: MIT
@_exported import BluebonnetCore
import Glibc

/// One GET, as the command line says: `URL [AUTHORITIES]`.
public struct Measurement: Sendable {
  /// What is fetched.
  public let url: String
  /// Whom its server is verified against.
  public let configuration: HTTPClient.Configuration
  private let start = ContinuousClock.now

  /// Reads the process's own command line; ends the process if it makes no sense.
  public init() {
    let words = CommandLine.arguments.dropFirst()
    guard let url = words.first, words.count <= 2 else {
      print("usage: \(CommandLine.arguments[0]) URL [AUTHORITIES]")
      exit(2)
    }
    self.url = url
    var configuration = HTTPClient.Configuration()
    if words.count == 2, let authorities = words.last { configuration.trust = .file(authorities) }
    self.configuration = configuration
  }

  /// Prints the status, the body's bytes, the microseconds since this was made, and the most memory that the process has had,
  /// in KiB.
  public func report(_ response: HTTPClient.Response) {
    let time = (ContinuousClock.now - start) / .microseconds(1)
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    print(response.status, response.body.count, Int(time), usage.ru_maxrss)
  }

  /// Ends the process.
  public func fail(_ error: any Error) -> Never {
    print(error)
    exit(1)
  }
}
