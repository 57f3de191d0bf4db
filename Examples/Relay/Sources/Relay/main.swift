// SPDX-License-Identifier: MIT
import BluebonnetCore
import Foundation
import Sockets

let usage = """
  usage: Relay --port PORT --upstream https://HOST[:PORT] --anchors FILE [--certificate FILE --key FILE]
         Relay --demo [MEGABYTES]
         Relay --demo-upstream FOLDER

  """

/// Prints a line at once, also into a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func log(_ text: String) { FileHandle.standardError.write(Data("relay: \(text)\n".utf8)) }

func fail(_ text: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data(text.utf8))
  exit(status)
}

/// The values of `--name value`; nil if anything else stands there, or one of a pair alone.
func options(_ arguments: some Collection<String>) -> [String: String]? {
  let names: Set = ["port", "upstream", "anchors", "certificate", "key"]
  var found: [String: String] = [:]
  var rest = arguments.makeIterator()
  while let name = rest.next() {
    guard name.hasPrefix("--"), names.contains(String(name.dropFirst(2))), let value = rest.next() else {
      return nil
    }
    found[String(name.dropFirst(2))] = value
  }
  return (found["certificate"] == nil) == (found["key"] == nil) ? found : nil
}

func bytes(of path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path))) }

func run(_ options: [String: String]) async throws {
  guard let port = options["port"].flatMap({ UInt16($0) }), let upstream = options["upstream"],
    let anchors = options["anchors"]
  else { fail(usage, status: 2) }
  var configuration = HTTPClient.Configuration()
  // These authorities and no others, whatever the system trusts.
  configuration.trust = .pem(try bytes(of: anchors))
  if let certificate = options["certificate"], let key = options["key"] {
    configuration.identity = try HTTPClient.Identity(
      certificates: try bytes(of: certificate), key: try bytes(of: key))
  }
  let relay = try Relay(upstream: upstream, configuration)
  let listener = try Listener(port: port)
  say("http://127.0.0.1:\(listener.port) is relayed to \(upstream)")
  let serving = Task { try await relay.serve(listener) }
  await terminationSignal()
  log("no new connections; those that are open have 5 seconds")
  listener.stop()
  DispatchQueue.global().asyncAfter(deadline: .now() + 5) { serving.cancel() }
  do { try await serving.value } catch is CancellationError {}
}

do {
  let arguments = CommandLine.arguments.dropFirst()
  switch arguments.first {
  case "--demo": try await Demo.run(megabytes: arguments.dropFirst().first.flatMap { Int($0) } ?? 256)
  case "--demo-upstream":
    guard let folder = arguments.dropFirst().first else { fail(usage, status: 2) }
    let upstream = try Demo.Upstream()
    try upstream.writeCertificates(to: URL(fileURLWithPath: folder))
    say(upstream.baseURL)
    await terminationSignal()
  default:
    guard let options = options(arguments) else { fail(usage, status: 2) }
    try await run(options)
  }
} catch {
  fail("relay: \(error)\n")
}
