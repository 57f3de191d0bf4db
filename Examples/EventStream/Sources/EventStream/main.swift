// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

let usage = """
  usage: EventStream URL [BOOKMARK-FILE]
         EventStream --demo

  """

func complain(_ text: String) { FileHandle.standardError.write(Data("EventStream: \(text)\n".utf8)) }

/// Prints a line at once, also into a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func show(_ event: ServerSentEvent) {
  say("\(event.id.isEmpty ? "-" : event.id) \(event.type): \(event.data.replacing("\n", with: " | "))")
}

/// Reads until the server ends the stream or a signal comes.
func read(_ url: URL, bookmark: URL?) async throws {
  let reader = Reader(session: AF, url: url, bookmark: bookmark, reconnection: .init(attemptLimit: 20))
  let reading = Task { try await reader.run { show($0) } }
  let signals = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { reading.cancel() }
    source.activate()
    return source
  }
  do {
    try await reading.value
    say("The server has ended the stream.")
  } catch let error as AFError where error.isExplicitlyCancelledError {
    say("Stopped.")
  }
  withExtendedLifetime(signals) {}
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments == ["--demo"] {
    try await Demo.run()
  } else if (1...2).contains(arguments.count), let url = URL(string: arguments[0]), url.host() != nil {
    try await read(url, bookmark: arguments.count > 1 ? URL(fileURLWithPath: arguments[1]) : nil)
  } else {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
} catch {
  complain("\(error)")
  exit(1)
}
