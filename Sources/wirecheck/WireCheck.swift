// SPDX-License-Identifier: MIT
import BluebonnetWireVectors
import Foundation

/// `wirecheck FILE...` runs vector files against the parsers and says which cases fail.
@main struct WireCheck {
  static func main() {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else {
      FileHandle.standardError.write(Data("usage: wirecheck FILE...\n".utf8))
      exit(64)
    }
    var passed = 0
    var failed = 0
    var knownDifferences: [String: (KnownDifference, [String])] = [:]
    for path in paths {
      do {
        for vector in try VectorFile(contentsOf: URL(fileURLWithPath: path)).vectors {
          switch vector.judge(splits: .max) {
          case .passed: passed += 1
          case .departed(let knownDifference):
            knownDifferences[knownDifference.name, default: (knownDifference, [])].1.append(vector.name)
          case .failed(let expected, let reached):
            failed += 1
            print("FAILED \(vector.name)\n  expected \(expected)\n  reached  \(reached)")
          }
        }
      } catch {
        failed += 1
        print("FAILED \(path)\n  expected a vector file\n  reached  \(error)")
      }
    }
    report(knownDifferences)
    print("\(passed) passed, \(failed) failed")
    exit(failed == 0 ? 0 : 1)
  }

  private static func report(_ knownDifferences: [String: (KnownDifference, [String])]) {
    let count = knownDifferences.values.reduce(0) { $0 + $1.1.count }
    guard count > 0 else { return }
    print("\(count) cases where a suite's opinion is not followed, counted neither as passed nor as failed:")
    for (name, (knownDifference, vectors)) in knownDifferences.sorted(by: { $0.key < $1.key }) {
      print("  \(name) (\(knownDifference.section)): \(knownDifference.reason)")
      for vector in vectors { print("    \(vector)") }
    }
  }
}
