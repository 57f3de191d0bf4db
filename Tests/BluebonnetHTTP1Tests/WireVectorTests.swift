// SPDX-License-Identifier: MIT
import BluebonnetWireVectors
import Testing

@Suite struct WireVectorTests {
  static let files = [
    ("consensus-responses", 82), ("llhttp", 186), ("h11", 56), ("picohttpparser", 82), ("httparse", 305),
    ("content-disposition", 62),
  ]

  @Test(arguments: files) func everyCaseIsJudgedAsExpected(file: String, count: Int) throws {
    let vectors = try VectorFile(fixture: file).vectors
    #expect(vectors.count == count)
    for vector in vectors {
      switch vector.judge(splits: 512) {
      case .passed: break
      case .departed(let knownDifference):
        // What five clients agree on is a requirement, and so are the file names.
        #expect(
          file != "consensus-responses" && file != "content-disposition",
          "\(vector.name): \(knownDifference.name)")
      case .failed(let expected, let reached):
        Issue.record("\(vector.name): expected \(expected), reached \(reached)")
      }
    }
  }
}
