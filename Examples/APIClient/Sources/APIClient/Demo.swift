// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import Foundation
import Synchronization

/// A service of notes inside this process, and a client that meets its moods.
enum Demo {
  /// The service: takes one token at a time, may be busy once, and refuses empty notes.
  final class Service: Sendable {
    private struct State {
      var notes = [Note(id: 1, text: "Water the lupins")]
      var refreshes = 0
      var isBusy = false
    }

    private let state = Mutex(State())
    let origin: Origin

    init() throws {
      origin = try Origin.start()
      origin.handle("/api/token") { [unowned self] in token($0) }
      origin.handle("/api/notes") { [unowned self] in notes($0) }
      for id in 1...20 { origin.handle("/api/notes/\(id)") { [unowned self] in note($0, id) } }
    }

    var refreshes: Int { state.withLock { $0.refreshes } }

    /// Answers the next request with 503.
    func beBusy() { state.withLock { $0.isBusy = true } }

    /// The token that was given last is not accepted any more.
    func revoke() { state.withLock { $0.refreshes += 1 } }

    private func token(_ request: RecordedRequest) -> ScriptedReply {
      let form = String(decoding: request.body, as: UTF8.self)
      guard form == "grant_type=refresh_token&refresh_token=secret" else {
        return problem(400, "invalid_grant")
      }
      let number = state.withLock { state in
        state.refreshes += 1
        return state.refreshes
      }
      return json(200, #"{"access_token": "token-\#(number)", "token_type": "Bearer", "expires_in": 3600}"#)
    }

    /// A refusal, if the request is not to be served.
    private func refusal(of request: RecordedRequest) -> ScriptedReply? {
      state.withLock { state in
        guard request.value("Authorization") == "Bearer token-\(state.refreshes)" else {
          return problem(
            401, "Unauthorized", fields: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
        }
        guard state.isBusy else { return nil }
        state.isBusy = false
        return problem(503, "Service Unavailable", fields: [("Retry-After", "1")])
      }
    }

    private func notes(_ request: RecordedRequest) -> ScriptedReply {
      if let refusal = refusal(of: request) { return refusal }
      return state.withLock { state in
        guard request.method == "POST" else { return json(200, state.notes) }
        let draft = try? JSONDecoder().decode([String: String].self, from: Data(request.body))
        guard let text = draft?["text"], !text.isEmpty else {
          return problem(422, "Unprocessable Content", detail: "a note needs a text")
        }
        let note = Note(id: state.notes.count + 1, text: text)
        state.notes.append(note)
        return json(201, note)
      }
    }

    private func note(_ request: RecordedRequest, _ id: Int) -> ScriptedReply {
      if let refusal = refusal(of: request) { return refusal }
      return json(200, Note(id: id, text: "Note \(id)"))
    }

    private func json(_ status: Int, _ value: some Encodable) -> ScriptedReply {
      json(status, (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null")
    }

    private func json(_ status: Int, _ text: String) -> ScriptedReply {
      .response(status: status, fields: [("Content-Type", "application/json")], body: text.utf8)
    }

    private func problem(
      _ status: Int, _ title: String, detail: String? = nil, fields: [(name: String, value: String)] = []
    ) -> ScriptedReply {
      let words = detail.map { #", "detail": "\#($0)""# } ?? ""
      return .response(
        status: status, fields: fields + [("Content-Type", "application/problem+json")],
        body: #"{"status": \#(status), "title": "\#(title)"\#(words)}"#.utf8)
    }
  }

  static func run() async throws {
    let service = try Service()
    guard let baseURL = URL(string: service.origin.baseURL + "/api/") else { throw URLError(.badURL) }
    let expired = Token(accessToken: "token-0", refreshToken: "secret", expiry: .distantPast)
    let api = NotesAPI(baseURL: baseURL, token: expired) { print("  (new token: \($0.accessToken))") }

    print("An expired token is refreshed before the first request:")
    print("  \(try await api.notes().map(\.text))")

    print("A revoked one is refreshed once, for twenty requests that need it:")
    service.revoke()
    let before = service.refreshes
    let notes = try await withThrowingTaskGroup { group in
      for id in 1...20 { group.addTask { try await api.note(id) } }
      return try await group.reduce(into: [Note]()) { $0.append($1) }
    }
    print("  \(notes.count) notes, \(service.refreshes - before) refresh")

    print("A busy service is asked again after its Retry-After:")
    service.beBusy()
    let start = ContinuousClock.now
    let count = try await api.notes().count
    print("  \(count) note, after a second: \(ContinuousClock.now - start >= .seconds(1))")

    print("A POST is not repeated; its failure is in the service's own words:")
    service.beBusy()
    do { _ = try await api.add("Sow bluebonnets") } catch let problem as Problem { print("  \(problem)") }
    do { _ = try await api.add("") } catch let problem as Problem { print("  \(problem)") }
    print("  \(try await api.add("Sow bluebonnets"))")
    await api.close()
  }
}
