// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import Testing

@Suite struct DecompressionLimitTests {
  @Test func anAbsoluteLimitIsExact() throws {
    let coded = try ContentEncoder.encode([UInt8](repeating: 0, count: 100_000), as: .gzip)
    #expect(failure(coded, [.gzip], limit: DecompressionLimit(bytes: 100_000)).error == nil)
    let limit = DecompressionLimit(bytes: 99_999)
    let result = failure(coded, [.gzip], limit: limit)
    #expect(result.error?.expansion?.limit == limit)
    #expect(result.error?.expansion?.input == coded.count)
    #expect(result.error?.expansion?.output ?? 0 > 99_999)
    #expect(result.output <= 99_999)
  }

  @Test func aRatioCountsOnlyBeyondItsFloor() throws {
    let coded = try ContentEncoder.encode([UInt8](repeating: 0, count: 1_000_000), as: .deflate)
    #expect(coded.count < 2000)
    let strict = DecompressionLimit(ratio: 100, ratioThreshold: 500_000)
    let result = failure(coded, [.deflate], limit: strict)
    #expect(result.error?.expansion?.limit == strict)
    #expect(result.output <= 500_000)
    #expect(
      failure(coded, [.deflate], limit: DecompressionLimit(ratio: 100, ratioThreshold: 1_000_000)).error
        == nil)
    #expect(
      failure(coded, [.deflate], limit: DecompressionLimit(ratio: 1100, ratioThreshold: 0)).error == nil)
  }

  @Test func aLimitStopsABrotliBombAndNoneDoesNot() {
    let limit = DecompressionLimit(ratio: 100, ratioThreshold: 32 << 20)
    let result = failure(Samples.brotliBomb, [.brotli], limit: limit)
    #expect(result.error?.expansion?.limit == limit)
    #expect(result.output <= 32 << 20)
    let unlimited = failure(Samples.brotliBomb, [.brotli], limit: .none)
    #expect(unlimited.error == nil)
    #expect(unlimited.output == 40 << 20)
  }

  @Test func theDefaultEndsABombAndNotALog() throws {
    // Members of 10 MiB each, at 1000:1.
    let member = try ContentEncoder.encode([UInt8](repeating: 0, count: 10 << 20), as: .gzip)
    let bomb = Array(repeating: member, count: 30).flatMap(\.self)
    let result = failure(bomb, [.gzip])
    #expect(result.error?.expansion?.limit == .inMemory)
    #expect((246 << 20...256 << 20).contains(result.output))
    // 148 MB at 147:1 was refused once; so is nothing that is smaller than the floor or below the ratio.
    #expect(DecompressionLimit.inMemory.allows(148_000_000, from: 148_000_000 / 147))
    #expect(DecompressionLimit.inMemory.allows(10 << 30, from: 10 << 30 / 20))
  }

  @Test func everyStageOfAStackCounts() throws {
    // Zeros, coded twice: the outer stage alone stays small, the inner one does not.
    let once = try ContentEncoder.encode([UInt8](repeating: 0, count: 10 << 20), as: .gzip)
    let twice = try ContentEncoder.encode(once, as: .gzip)
    #expect(twice.count < 200)
    let limit = DecompressionLimit(ratio: 1100, ratioThreshold: 1 << 20)
    #expect(failure(once, [.gzip], limit: limit).error == nil, "no more than deflate can do")
    #expect(failure(twice, [.gzip, .gzip], limit: limit).error?.expansion?.limit == limit)
  }

  @Test func describesItself() {
    #expect(DecompressionLimit(bytes: 5).description == "5 bytes")
    #expect(
      DecompressionLimit(bytes: 5, ratio: 2, ratioThreshold: 3).description == "5 bytes or 2:1 beyond 3 bytes"
    )
    #expect(DecompressionLimit.none.description == "any size")
    let limit = DecompressionLimit(bytes: 5, setting: "thatSetting")
    let error = ContentCodingError.bomb(.init(output: 7, input: 1, limit: limit))
    #expect(
      error.description
        == "it expands further than is allowed: 1 bytes became 7, the limit is 5 bytes (see thatSetting)"
    )
  }
}

extension ContentCodingError {
  fileprivate var expansion: Expansion? {
    if case .bomb(let expansion) = self { expansion } else { nil }
  }
}
