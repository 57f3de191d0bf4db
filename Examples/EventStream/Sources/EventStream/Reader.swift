// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

/// Reads an event stream for as long as it lasts, over any number of connections, and in the next process where this one has ended.
struct Reader: Sendable {
  let session: Session
  let url: URL
  /// Holds the id of the last event that was dealt with; nil for a reader that begins anew each time.
  let bookmark: URL?
  let reconnection: EventSource.Reconnection

  /// - Parameter take: Called with one event after the other. While it works, the stream waits on the network.
  /// - Throws: An `AFError`: an answer that is no event stream, a connection that failed too often, or `explicitlyCancelled`.
  func run(_ take: (ServerSentEvent) async throws -> Void) async throws {
    var request = try URLRequest(url: url, method: .get)
    // A server that sends a comment line now and then is never silent for so long.
    request.timeoutInterval = 60
    if let id = try lastID(), !id.isEmpty { request.headers["Last-Event-ID"] = id }
    for try await event in session.eventSource(request, reconnecting: reconnection) {
      try await take(event)
      // Behind the work: an event that was not dealt with comes again.
      try keep(event.id)
    }
  }

  private func lastID() throws -> String? {
    guard let bookmark, FileManager.default.fileExists(atPath: bookmark.path) else { return nil }
    return try String(contentsOf: bookmark, encoding: .utf8)
  }

  private func keep(_ id: String) throws {
    if let bookmark { try Data(id.utf8).write(to: bookmark, options: .atomic) }
  }
}
