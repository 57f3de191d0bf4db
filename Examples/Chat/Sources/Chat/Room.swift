// SPDX-License-Identifier: MIT
import BluebonnetWebSocket
import Foundation
import Sockets

/// The room: each line goes to all members, its author included.
actor Room {
  private var members: [ObjectIdentifier: Member] = [:]

  /// Serves clients until the listener is stopped or the task is cancelled.
  func serve(_ listener: Listener) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      // Clients ping every 30 seconds: a silent connection is a dead one.
      while let connection = try await listener.next(idleTimeout: .seconds(90)) {
        group.addTask { await self.admit(connection) }
      }
    }
  }

  /// Tells all members that the server goes away.
  func close() {
    for member in members.values { member.close(.goingAway) }
  }

  private func admit(_ connection: Connection) async {
    do {
      guard let member = try await Member.open(connection) else { return await connection.finish() }
      members[ObjectIdentifier(member)] = member
      say(Line(from: "room", text: "\(member.name) is here"))
      await member.run { await self.say(Line(from: member.name, text: $0)) }
      members[ObjectIdentifier(member)] = nil
      say(Line(from: "room", text: "\(member.name) has left"))
    } catch {
      log("an opening handshake failed: \(error)")
    }
    await connection.finish()
  }

  /// All members hear the lines in the same order.
  private func say(_ line: Line) {
    guard let json = try? JSONEncoder().encode(line) else { return }
    for member in members.values { member.deliver(Array(json)) }
  }
}
