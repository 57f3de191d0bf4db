// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache

/// What files of the store on disk say, without a disk.
@Suite struct StoreFormatTests {
  private func file() throws -> VariantFile {
    var file = VariantFile()
    let language = StoredResponse.RequestField(name: "accept-language", value: "de")
    _ = file.put(.init(response: try StoredSamples.response(length: 3), body: .here(Data("abc".utf8))))
    _ = file.put(
      .init(
        response: try StoredSamples.response(variant: [language], length: 70_000),
        body: .beside(0xFEDC_BA98_7654_3210)))
    return file
  }

  @Test func variantsAreReadAgain() throws {
    for file in [VariantFile(), try file()] {
      let read = try VariantFile(file.bytes())
      #expect(
        read.variants.map { StoredSamples.facts($0.response) }
          == file.variants.map { StoredSamples.facts($0.response) })
      #expect(read.variants.map(\.body) == file.variants.map(\.body))
    }
  }

  @Test func aChangeOfAnyBitIsFound() throws {
    let bytes = try file().bytes()
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(throws: ResponseStoreError.self) { try VariantFile(changed) }
      }
    }
  }

  @Test func whatIsCutOrGoesOnIsNone() throws {
    let bytes = try file().bytes()
    for count in 0..<bytes.count {
      #expect(throws: ResponseStoreError.self) { try VariantFile(Array(bytes[..<count])) }
    }
    #expect(throws: ResponseStoreError.self) { try VariantFile(bytes + [0]) }
  }

  @Test func aNewVariantTakesThePlaceOfItsLike() throws {
    var file = try file()
    let dropped = file.put(
      .init(response: try StoredSamples.response(length: 1), body: .here(Data("x".utf8))))
    #expect(dropped.map(\.body) == [.here(Data("abc".utf8))])
    #expect(file.variants.map(\.body) == [.beside(0xFEDC_BA98_7654_3210), .here(Data("x".utf8))])
    for number in 0..<20 {
      let field = StoredResponse.RequestField(name: "accept", value: "\(number)")
      _ = file.put(
        .init(response: try StoredSamples.response(variant: [field], length: 0), body: .here(Data())))
    }
    #expect(file.variants.map { $0.response.variant.first?.value } == (4..<20).map { "\($0)" })
  }

  // MARK: Bodies

  private func chunks(_ body: Data, number: UInt64 = 7, pieces: [Int]) -> [UInt8] {
    var writer = BodyChunks.Writer(number: number)
    var written: [UInt8] = []
    var (position, turn) = (0, 0)
    while position < body.count {
      let piece = min(pieces[turn % pieces.count], body.count - position)
      let end = position + piece
      while position < end {
        position += writer.append(body[position..<end])
        if turn % 3 == 0 { written += writer.takeBytes() }
      }
      turn += 1
    }
    writer.finish()
    return written + writer.takeBytes()
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000, 262_144])
  func aBodyIsTheSameHoweverItComes(length: Int) throws {
    let body = StoredSamples.body(length)
    let whole = chunks(body, pieces: [length + 1])
    #expect(Int64(whole.count) == BodyChunks.fileLength(Int64(length)))
    for pieces in [[100_000], [65_536], [65_535, 2], [4_096, 70_001, 3]] {
      #expect(chunks(body, pieces: pieces) == whole)
    }
    for offset in [0, 1, 65_535, 65_536, 65_537, 131_072, length - 1] where (0..<length).contains(offset) {
      for limit in 1...5 {
        let place = BodyChunks.place(of: Int64(offset), limit: limit, length: Int64(length))
        let part = Array(whole[Int(place.file.lowerBound)..<Int(place.file.upperBound)])
        let read = try BodyChunks.body(of: part, first: place.first, number: 7)
        let start = Int(place.first) * 65_536
        #expect(Data(read) == body[start..<min(length, start + limit * 65_536)])
      }
    }
  }

  @Test func aChangeOfAByteIsFound() throws {
    let bytes = chunks(StoredSamples.body(66_000), pieces: [66_000])
    func isDamaged(_ bytes: [UInt8], first: Int64 = 0, number: UInt64 = 7) -> Bool {
      (try? BodyChunks.body(of: bytes, first: first, number: number)) == nil
    }
    #expect(!isDamaged(bytes))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      var changed = bytes
      changed[Int.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
      #expect(isDamaged(changed))
    }
    for count in [1, 8, 9, 65_536, 65_543, 65_545, 66_015] { #expect(isDamaged(Array(bytes[..<count]))) }
    #expect(isDamaged(bytes, first: 1), "It is another part of the body.")
    #expect(isDamaged(bytes, number: 8), "It is another body.")
  }

  /// The top bits of two words, which a plain product of odd factors would let cancel each other.
  @Test func changesDoNotCancelEachOther() {
    let bytes = StoredSamples.body(512)
    var sums: Set<UInt64> = [BlockChecksum.of(bytes, seed: 0)]
    for first in stride(from: 7, to: 512, by: 8) {
      for second in stride(from: first + 8, to: 512, by: 8) {
        var changed = bytes
        changed[first] ^= 0x80
        changed[second] ^= 0x80
        sums.insert(BlockChecksum.of(changed, seed: 0))
      }
    }
    #expect(sums.count == 1 + 64 * 63 / 2)
    #expect(Set((0..<1000).map { BlockChecksum.of([UInt8](repeating: 0, count: $0), seed: 0) }).count == 1000)
    #expect(Set((0..<1000).map { BlockChecksum.of([], seed: $0) }).count == 1000)
  }

  // MARK: Names

  @Test func namesAreHashes() throws {
    let hash = StoreName.hash(of: .init(method: "GET", target: "http://example.org/../../etc/passwd"))
    #expect(hash.utf8.count == 32 && hash.allSatisfy { $0.isHexDigit })
    #expect(StoreName(hash) == .variants(of: hash))
    #expect(StoreName(StoreName.body(10, of: hash)) == .body(of: hash, number: 10))
    #expect(StoreName("tmp.0123456789abcdef") == .temporary)
    for other in [
      "lock", "tmp.", "tmp.1", "", ".", hash + ".", hash + ".1", "x" + hash.dropFirst(), hash + "0", "a.b.c",
    ] {
      #expect(StoreName(other) == nil, "\(other)")
    }
  }
}
