// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Glibc

// MODE FILE ROUNDS: prints the nanoseconds that one round took.
let words = CommandLine.arguments
guard words.count == 4, let rounds = Int(words[3]), rounds > 0, let input = contents(of: words[2]) else {
  print(
    "usage: (head|head-only|chunked|lookup|whole|bytewise|tolerant[-bytewise]|lenient[-bytewise]) FILE ROUNDS"
  )
  exit(2)
}

let start = nanoseconds()
switch words[1] {
case "head": try Messages.heads(input, rounds)
case "head-only": try Messages.headsOnly(input, rounds)
case "chunked": try Messages.chunked(input, rounds)
case "lookup": try Messages.lookUp(input, rounds)
case "whole": try Shapes.read(input, rounds, step: input.count, .strict)
case "bytewise": try Shapes.read(input, rounds, step: 1, .strict)
case "tolerant": try Shapes.read(input, rounds, step: input.count, .tolerant)
case "tolerant-bytewise": try Shapes.read(input, rounds, step: 1, .tolerant)
case "lenient": try Shapes.read(input, rounds, step: input.count, .lenient)
case "lenient-bytewise": try Shapes.read(input, rounds, step: 1, .lenient)
default: exit(2)
}
print(Double(nanoseconds() - start) / Double(rounds))

func nanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = fread(buffer.baseAddress, 1, size, file)
  }
}
