// SPDX-License-Identifier: MIT
import Bluebonnet
import Dispatch
import FoundationEssentials
import Glibc

/// Returns when the process is asked to end. Call `listen` before anything that takes time.
struct Termination: Sendable {
  private let signals: AsyncStream<Void>

  static func listen() -> Termination {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    for number in [SIGTERM, SIGINT] {
      // As process 1 of a container, a program gets no signal that it does not ask for.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        continuation.finish()
        source.cancel()
      }
      source.resume()
    }
    return Termination(signals: signals)
  }

  func wait() async { for await _ in signals {} }
}

let isOnce = CommandLine.arguments.dropFirst() == ["--once"]
// Without /proc there is not even the program's name.
guard isOnce || CommandLine.arguments.count <= 1 else {
  Output.complain("the only option is --once")
  exit(64)
}
let settings: Settings
do {
  settings = try Settings(ProcessInfo.processInfo.environment)
} catch {
  Output.complain("\(error)")
  exit(78)
}
let termination = Termination.listen()
let watcher = Watcher(settings)
if isOnce {
  let isWell = await watcher.round()
  await watcher.session.shutdown()
  exit(isWell ? 0 : 1)
}
let rounds = Task { await watcher.rounds() }
await termination.wait()
// No round begins any more. Requests under way have their time, and are cancelled when it is over.
rounds.cancel()
await watcher.session.shutdown(deadline: settings.grace)
await rounds.value
