// SPDX-License-Identifier: MIT
import Foundation
import Sockets

let usage = """
  usage: Chat --serve PORT
         Chat NAME ws://HOST:PORT/room
         Chat --demo

  """

/// Prints a line at once, also into a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func log(_ text: String) { FileHandle.standardError.write(Data("chat: \(text)\n".utf8)) }

func serve(port: UInt16) async throws {
  let listener = try Listener(port: port)
  let room = Room()
  say("ws://127.0.0.1:\(listener.port)/room")
  let serving = Task { try await room.serve(listener) }
  await terminationSignal()
  listener.stop()
  await room.close()
  // Members have two seconds to answer.
  DispatchQueue.global().asyncAfter(deadline: .now() + 2) { serving.cancel() }
  do { try await serving.value } catch is CancellationError {}
}

func chat(as name: String, in room: URL) async throws {
  let client = Client(name: name, room: room)
  let sending = Task {
    for await line in inputLines() { try await client.send(line) }
    client.close()
  }
  try await client.read { say("\($0.from): \($0.text)") }
  sending.cancel()
}

/// A room and two members in one process: Ann speaks first, Ben answers, Ann leaves.
func demo() async throws {
  let listener = try Listener()
  let room = Room()
  let serving = Task { try await room.serve(listener) }
  guard let url = URL(string: "ws://127.0.0.1:\(listener.port)/room") else { return }
  let (ann, ben) = (Client(name: "Ann", room: url), Client(name: "Ben", room: url))
  let annIsHere = AsyncStream.makeStream(of: Never.self)
  async let heardByAnn: Void = ann.read { line in
    say("Ann hears   \(line.from): \(line.text)")
    if line.text == "Ann is here" { annIsHere.continuation.finish() }
    if line.text == "Ben is here" { try? await ann.send("Hello, Ben!") }
    if line.from == "Ben" { ann.close() }
  }
  for await _ in annIsHere.stream {}
  async let heardByBen: Void = ben.read { line in
    say("  Ben hears \(line.from): \(line.text)")
    if line.from == "Ann" { try? await ben.send("Hello, Ann!") }
    if line.text == "Ann has left" { ben.close() }
  }
  _ = try await (heardByAnn, heardByBen)
  listener.stop()
  serving.cancel()
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments == ["--demo"] {
    try await demo()
  } else if arguments.count == 2, arguments[0] == "--serve", let port = UInt16(arguments[1]) {
    try await serve(port: port)
  } else if arguments.count == 2, !arguments[0].hasPrefix("-"), let room = URL(string: arguments[1]) {
    try await chat(as: arguments[0], in: room)
  } else {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
} catch {
  log("\(error)")
  exit(1)
}
