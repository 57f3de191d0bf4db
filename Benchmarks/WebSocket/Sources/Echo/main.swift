import Bluebonnet

// Echo URL COUNT: sends messages of 64 bytes, each when the one before has come back, and prints how many a second.
let arguments = CommandLine.arguments
guard arguments.count == 3, let url = URL(string: arguments[1]), let count = Int(arguments[2]) else {
  print("Echo URL COUNT")
  exit(2)
}
let message = URLSessionWebSocketTask.Message.data(Data((0..<64).map { UInt8($0) }))
let task = URLSession(configuration: .ephemeral).webSocketTask(with: url)
task.resume()

func echo(_ count: Int) async throws {
  for _ in 0..<count {
    try await task.send(message)
    guard try await task.receive() == message else { fatalError("another message came back") }
  }
}

try await echo(1000)
let clock = ContinuousClock()
let start = clock.now
try await echo(count)
let seconds = (clock.now - start) / .seconds(1)
print(Int(Double(count) / seconds))
task.cancel(with: .normalClosure, reason: nil)
