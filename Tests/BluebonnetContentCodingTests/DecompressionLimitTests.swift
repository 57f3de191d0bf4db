import BluebonnetContentCoding
import Testing

@Suite struct DecompressionLimitTests {
  @Test func anAbsoluteLimitIsExact() throws {
    let coded = try ContentEncoder.encode([UInt8](repeating: 0, count: 100_000), as: .gzip)
    #expect(failure(coded, [.gzip], limit: DecompressionLimit(bytes: 100_000)).error == nil)
    let limit = DecompressionLimit(bytes: 99_999)
    let result = failure(coded, [.gzip], limit: limit)
    #expect(result.error == .bomb(limit))
    #expect(result.output <= 99_999)
  }

  @Test func aRatioCountsOnlyBeyondItsFloor() throws {
    let coded = try ContentEncoder.encode([UInt8](repeating: 0, count: 1_000_000), as: .deflate)
    #expect(coded.count < 2000)
    let strict = DecompressionLimit(ratio: 100, ratioFloor: 500_000)
    let result = failure(coded, [.deflate], limit: strict)
    #expect(result.error == .bomb(strict))
    #expect(result.output <= 500_000)
    #expect(
      failure(coded, [.deflate], limit: DecompressionLimit(ratio: 100, ratioFloor: 1_000_000)).error == nil)
    #expect(failure(coded, [.deflate], limit: DecompressionLimit(ratio: 1100, ratioFloor: 0)).error == nil)
  }

  @Test func theDefaultStopsABrotliBombAndNoneDoesNot() {
    let result = failure(Samples.brotliBomb, [.brotli])
    #expect(result.error == .bomb(.default))
    #expect(result.output <= 32 << 20)
    let unlimited = failure(Samples.brotliBomb, [.brotli], limit: .none)
    #expect(unlimited.error == nil)
    #expect(unlimited.output == 40 << 20)
  }

  @Test func everyStageOfAStackCounts() throws {
    // Zeros, coded twice: the outer stage alone stays small, the inner one does not.
    let once = try ContentEncoder.encode([UInt8](repeating: 0, count: 10 << 20), as: .gzip)
    let twice = try ContentEncoder.encode(once, as: .gzip)
    #expect(twice.count < 200)
    let limit = DecompressionLimit(ratio: 1100, ratioFloor: 1 << 20)
    #expect(failure(once, [.gzip], limit: limit).error == nil, "no more than deflate can do")
    #expect(failure(twice, [.gzip, .gzip], limit: limit).error == .bomb(limit))
  }

  @Test func describesItself() {
    #expect(DecompressionLimit(bytes: 5).description == "5 bytes")
    #expect(
      DecompressionLimit(bytes: 5, ratio: 2, ratioFloor: 3).description == "5 bytes or 2:1 after 3 bytes")
    #expect(DecompressionLimit.none.description == "any size")
  }
}
