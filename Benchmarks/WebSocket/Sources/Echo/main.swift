// SPDX-License-Identifier: MIT
import Bluebonnet

// Echo URL COUNT [loop]: sends messages of 64 bytes, each when the one before has come back, and prints how many a second; with
// `loop`, in a task that runs on the session's event loop.
let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[1]), let count = Int(arguments[2]) else {
  print("Echo URL COUNT [loop]")
  exit(2)
}
let message = URLSessionWebSocketTask.Message.data(Data((0..<64).map { UInt8($0) }))
let task = URLSession(configuration: .ephemeral).webSocketTask(with: url)
task.resume()

nonisolated func echo(_ count: Int) async throws {
  for _ in 0..<count {
    try await task.send(message)
    guard try await task.receive() == message else { fatalError("another message came back") }
  }
}

@concurrent func measure(_ count: Int) async throws -> Int {
  try await echo(1000)
  let clock = ContinuousClock()
  let start = clock.now
  try await echo(count)
  return Int(Double(count) / ((clock.now - start) / .seconds(1)))
}

if arguments.count > 3 {
  let executor = URLSessionConfiguration.EventLoop.shared.taskExecutor
  print(try await withTaskExecutorPreference(executor) { try await measure(count) })
} else {
  print(try await measure(count))
}
task.cancel(with: .normalClosure, reason: nil)
