// SPDX-License-Identifier: MIT
import Foundation

let usage = """
  usage: APIClient BASE-URL TOKEN-FILE [TEXT]     lists the notes, or adds one
         APIClient --demo
  BASE-URL ends in a slash.

  """

func complain(_ text: String) { FileHandle.standardError.write(Data("APIClient: \(text)\n".utf8)) }

/// The program: the token lies in a file that only this user can read, and is written anew after each refresh.
func run(_ baseURL: URL, _ file: URL, adding text: String?) async throws {
  let token = try JSONDecoder().decode(Token.self, from: Data(contentsOf: file))
  let api = NotesAPI(baseURL: baseURL, token: token) { token in
    let fresh = file.path + ".new"
    let isKept = FileManager.default.createFile(
      atPath: fresh, contents: try? JSONEncoder().encode(token), attributes: [.posixPermissions: 0o600])
    if !isKept || rename(fresh, file.path) != 0 {
      complain("the new token could not be written to \(file.path)")
    }
  }
  if let text { print(try await api.add(text)) } else { for note in try await api.notes() { print(note) } }
  await api.close()
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments == ["--demo"] {
    try await Demo.run()
  } else if (2...3).contains(arguments.count), let baseURL = URL(string: arguments[0]) {
    try await run(
      baseURL, URL(fileURLWithPath: arguments[1]), adding: arguments.count > 2 ? arguments[2] : nil)
  } else {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
} catch {
  complain((error as? Problem)?.description ?? error.localizedDescription)
  exit(1)
}
