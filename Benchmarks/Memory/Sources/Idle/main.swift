// SPDX-License-Identifier: MIT
import Bluebonnet

// Idle URL COUNT AUTHORITY: makes so many requests at once, which the server answers when all have come, and prints the memory that the
// process has, in KiB: before them, and when their connections are idle.
let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[1]), let count = Int(arguments[2]) else {
  print("Idle URL COUNT AUTHORITY")
  exit(2)
}
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = count
configuration.connectionLimit = count
configuration.timeoutIntervalForRequest = 120
configuration.urlCache = nil
configuration.trustAnchors = .file(path: arguments[3])
let session = Session(configuration: configuration)

// What the first connection needs belongs to no connection.
_ = try await session.request(url).validate().serializingData().value
let before = resident()
do {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<count {
      group.addTask { _ = try await session.request(url).validate().serializingData().value }
    }
    try await group.waitForAll()
  }
} catch {
  print(error)
  exit(1)
}
// The last tasks and requests go.
try await Task.sleep(for: .seconds(2))
print(before, resident())

func resident() -> String {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  return line.split(separator: " ").dropFirst().first.map(String.init) ?? "?"
}
