// SPDX-License-Identifier: MIT
import Bluebonnet

// Streams KIND URL [FILE…]: sends or reads a body, and prints what has gone by, in bytes, and the most memory that the process has had, in
// KiB. KIND is `sequence` (up, from an asynchronous sequence), `form` (up, of the files) or `bytes` (down).
let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[2]) else {
  print("Streams sequence|form|bytes URL [FILE…]")
  exit(2)
}
let size: Int64 = 4 << 30
let configuration = URLSessionConfiguration.ephemeral
let session = Session(configuration: configuration)

switch arguments[1] {
case "sequence":
  let piece = Data(repeating: 120, count: 65_536)
  let pieces = AsyncStream(unfolding: { @Sendable in piece }).prefix(Int(size) / piece.count)
  let answer = try await session.upload(StreamedBody(pieces, length: size), to: url).validate()
    .serializingString().value
  print(answer, peak())
case "form":
  let answer = try await session.upload(
    multipartFormData: { form in
      for path in arguments.dropFirst(3) {
        form.append(
          URL(fileURLWithPath: path), withName: "file", fileName: "file", mimeType: "application/octet-stream"
        )
      }
    }, to: url
  ).validate().serializingString().value
  print(answer, peak())
case "bytes":
  let (bytes, _) = try await session.session.bytes(from: url)
  var count: Int64 = 0
  for try await _ in bytes { count += 1 }
  print(count, peak())
default:
  print("no such kind: \(arguments[1])")
  exit(2)
}

func peak() -> String {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
  return line.split(separator: " ").dropFirst().first.map(String.init) ?? "?"
}
