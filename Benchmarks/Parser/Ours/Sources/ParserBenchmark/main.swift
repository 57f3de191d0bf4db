import BluebonnetHTTP1
import Glibc

// (head|chunked|bytewise) FILE ROUNDS: prints the nanoseconds that one message took.
let words = CommandLine.arguments
guard words.count == 4, let rounds = Int(words[3]), rounds > 0, let input = contents(of: words[2]) else {
  print("usage: (head|chunked|bytewise) FILE ROUNDS")
  exit(2)
}

let start = nanoseconds()
switch words[1] {
case "head": try heads(input, rounds)
case "chunked": try chunked(input, rounds)
default: try bytewise(input, rounds)
}
print(Double(nanoseconds() - start) / Double(rounds))

/// Whole messages, one after the other, with every check of strict mode.
func heads(_ input: [UInt8], _ rounds: Int) throws {
  var parser = ResponseParser(toMethod: .ordinary)
  for _ in 0..<rounds {
    parser.reset(toMethod: .ordinary)
    var consumed = 0
    guard case .head = try parser.next(in: input.span, consumed: &consumed),
      case .end = try parser.next(in: input.span, consumed: &consumed), consumed == input.count
    else { exit(1) }
  }
}

func chunked(_ input: [UInt8], _ rounds: Int) throws {
  var decoder = ChunkedDecoder()
  for _ in 0..<rounds {
    decoder.reset()
    var consumed = 0
    var event = try decoder.next(in: input.span, consumed: &consumed)
    while event != .end { event = try decoder.next(in: input.span, consumed: &consumed) }
  }
}

/// The worst a slow peer can do: each read brings one byte.
func bytewise(_ input: [UInt8], _ rounds: Int) throws {
  let generous = ParserLimits(
    headBytes: 1 << 30, fieldCount: 1 << 20, lineBytes: 1 << 30, chunkExtensionBytes: 1 << 20,
    trailerBytes: 1 << 30, interimResponses: 16)
  for _ in 0..<rounds {
    var parser = ResponseParser(toMethod: .ordinary, limits: generous)
    var offered = 0
    var consumed = 0
    while offered < input.count {
      offered += 1
      _ = try parser.next(in: input.span.extracting(first: offered), consumed: &consumed)
    }
  }
}

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
