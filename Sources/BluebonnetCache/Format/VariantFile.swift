// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// All variants of one key, as a file:
//
//     "bbstore1"  length of the file (8)  count of variants (1)
//     { length of the head (4)  head  place of the body (1)  body, or its number (8) }*
//     checksum (8)
//
// A body in the file is as long as its head says. The last one is the youngest.
/// The contents of a file with the variants of one key, and with the bodies that are small.
struct VariantFile {
  var variants: [Variant] = []

  struct Variant {
    /// The length of the body is known.
    var response: StoredResponse
    var body: Body

    /// Bytes of the body.
    var length: Int64 { response.bodyLength ?? 0 }
  }

  enum Body: Equatable {
    case here(Data)
    /// In a file of its own, of this number.
    case beside(UInt64)
  }

  /// Bodies up to here lie in the file itself, so that one read brings everything.
  static let inlineLimit = 16 * 1024
  /// The number of variants kept: the oldest goes first.
  static let countLimit = 16
  /// More is not read.
  static let sizeLimit = 1024 + countLimit * (StoredResponse.encodedLimit + inlineLimit + 16)

  private static let magic = Array("bbstore1".utf8)
  private static let seed: UInt64 = 0x66_696C65
  private static let frame = 8 + 8 + 1 + 8

  init() {}

  /// Reads a file, with any contents.
  init(_ bytes: [UInt8]) throws(ResponseStoreError) {
    guard bytes.starts(with: Self.magic) else { throw .damaged("a file is of another kind") }
    guard bytes.count >= Self.frame else { throw .damaged("a file ends too soon") }
    var reader = FormatReader(bytes.dropFirst(Self.magic.count).dropLast(8))
    guard try reader.number(UInt64.self) == bytes.count else { throw .damaged("a file has another length") }
    var sum = FormatReader(bytes.suffix(8))
    guard BlockChecksum.of(bytes.dropLast(8), seed: Self.seed) == (try sum.number()) else {
      throw .damaged("a file's checksum is another one")
    }
    let count = try reader.number(UInt8.self)
    guard count <= Self.countLimit else { throw .damaged("a file has too many variants") }
    for _ in 0..<count {
      let length = try reader.number(UInt32.self)
      let response = try StoredResponse(encodedBytes: try reader.take(Int(length)))
      guard let bodyLength = response.bodyLength else { throw .damaged("a body has no length") }
      switch try reader.number(UInt8.self) {
      case 0:
        guard bodyLength <= Self.inlineLimit else { throw .damaged("a body is too long for its place") }
        variants.append(.init(response: response, body: .here(Data(try reader.take(Int(bodyLength))))))
      case 1: variants.append(.init(response: response, body: .beside(try reader.number())))
      default: throw .damaged("a body is in an unknown place")
      }
    }
    guard reader.isAtEnd else { throw .damaged("something follows the last variant") }
  }

  func bytes() throws(ResponseStoreError) -> [UInt8] {
    var content = FormatWriter()
    content.add(UInt8(clamping: variants.count))
    for variant in variants {
      let head = try variant.response.encodedBytes()
      content.add(UInt32(clamping: head.count))
      content.add(head)
      switch variant.body {
      case .here(let body):
        content.add(UInt8(0))
        content.add(body)
      case .beside(let number):
        content.add(UInt8(1))
        content.add(number)
      }
    }
    var file = FormatWriter()
    file.add(Self.magic)
    file.add(UInt64(Self.frame - 1 + content.bytes.count))
    file.add(content.bytes)
    file.addChecksum(seed: Self.seed)
    return file.bytes
  }

  /// Puts a variant at the end, in the place of the one that it replaces; drops the oldest if there are too many.
  ///
  /// - Returns: The variants kept no longer.
  mutating func put(_ variant: Variant) -> [Variant] {
    var dropped = makeWay(for: variant.response)
    if variants.count >= Self.countLimit { dropped.append(variants.removeFirst()) }
    variants.append(variant)
    return dropped
  }

  /// Removes the variant that a response would take the place of.
  ///
  /// - Returns: The variants kept no longer.
  mutating func makeWay(for response: StoredResponse) -> [Variant] {
    let dropped = variants.filter { $0.response.variant == response.variant }
    variants.removeAll { $0.response.variant == response.variant }
    return dropped
  }
  /// The bodies that lie in files of their own.
  var bodies: [StoreIndex.Body] { Self.bodies(of: variants) }

  static func bodies(of variants: [Variant]) -> [StoreIndex.Body] {
    variants.compactMap { variant in
      guard case .beside(let number) = variant.body else { return nil }
      return .init(
        number: number, size: DiskResponseStore.charge(BodyChunks.fileLength(variant.length)))
    }
  }
}
