// SPDX-License-Identifier: MIT
import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let violation = Fuzz.invariant.violation(input) {
    report("violated: \(violation)")
    abort()
  }
  return 0
}

private func report(_ text: String) {
  var line = text + "\n"
  line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// The target is named by the environment, because libFuzzer starts copies of itself with its own arguments.
@main enum Fuzz {
  static let invariant: Invariant = {
    guard let name = getenv("BLUEBONNET_FUZZ_TARGET"),
      let invariant = Invariant(rawValue: String(cString: name))
    else {
      report("BLUEBONNET_FUZZ_TARGET names one of \(Invariant.allCases.map(\.rawValue))")
      exit(2)
    }
    return invariant
  }()

  static func main() {
    _ = invariant
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, testOneInput))
  }
}
