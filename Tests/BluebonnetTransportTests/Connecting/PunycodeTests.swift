// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct PunycodeTests {
  struct Sample: CustomTestStringConvertible {
    var name: String
    var text: String
    var code: String

    init(_ name: String, _ text: String, _ code: String) {
      self.name = name
      self.text = text
      self.code = code
    }

    var testDescription: String { name }
  }

  /// The samples of RFC 3492 §7.1. Upper-case digits, which mark the case of the original in (I), are lower case here.
  static let samples: [Sample] = [
    Sample(
      "A Arabic",
      "\u{644}\u{64A}\u{647}\u{645}\u{627}\u{628}\u{62A}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64A}\u{61F}",
      "egbpdaj6bu4bxfgehfvwxn"),
    Sample("B Chinese, simplified", "他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
    Sample("C Chinese, traditional", "他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
    Sample("D Czech", "Pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky", "Proprostnemluvesky-uyb24dma41a"),
    Sample(
      "E Hebrew",
      "\u{5DC}\u{5DE}\u{5D4}\u{5D4}\u{5DD}\u{5E4}\u{5E9}\u{5D5}\u{5D8}\u{5DC}\u{5D0}\u{5DE}\u{5D3}\u{5D1}\u{5E8}\u{5D9}\u{5DD}\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}",
      "4dbcagdahymbxekheh6e0a7fei0b"),
    Sample(
      "F Hindi",
      "\u{92F}\u{939}\u{932}\u{94B}\u{917}\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}\u{915}\u{94D}\u{92F}\u{94B}\u{902}\u{928}\u{939}\u{940}\u{902}\u{92C}\u{94B}\u{932}\u{938}\u{915}\u{924}\u{947}\u{939}\u{948}\u{902}",
      "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
    Sample("G Japanese", "なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
    Sample(
      "H Korean", "세계의모든사람들이한국어를이해한다면얼마나좋을까",
      "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"),
    Sample("I Russian", "почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
    Sample(
      "J Spanish", "Porqu\u{E9}nopuedensimplementehablarenEspa\u{F1}ol",
      "PorqunopuedensimplementehablarenEspaol-fmd56a"),
    Sample(
      "K Vietnamese",
      "T\u{1EA1}isaoh\u{1ECD}kh\u{F4}ngth\u{1EC3}ch\u{1EC9}n\u{F3}iti\u{1EBF}ngVi\u{1EC7}t",
      "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"),
    Sample("L", "3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
    Sample("M", "安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
    Sample("N", "Hello-Another-Way-それぞれの場所", "Hello-Another-Way--fc4qua05auwb3674vfr0b"),
    Sample("O", "ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
    Sample("P", "MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
    Sample("Q", "パフィーdeルンバ", "de-jg4avhby1noc0d"),
    Sample("R", "そのスピードで", "d9juau41awczczp"),
    Sample("S ASCII", "-> $1.00 <-", "-> $1.00 <--"),
  ]

  @Test(arguments: samples)
  func encodes(_ sample: Sample) {
    #expect(Punycode.encode(Array(sample.text.unicodeScalars)) == sample.code)
  }

  @Test(arguments: samples)
  func decodes(_ sample: Sample) throws {
    let text = try #require(Punycode.decode(sample.code))
    #expect(Array(text.unicodeScalars) == Array(sample.text.unicodeScalars))
  }

  @Test(arguments: [
    "é", "a!", "99999999", "a-b-\u{7F}", "0", String(repeating: "9", count: 2_000),
  ])
  func refusesWhatIsNoCode(code: String) {
    #expect(Punycode.decode(code) == nil)
  }

  @Test func survivesTheLongestAndWorstLabels() throws {
    let worst = [Unicode.Scalar](repeating: "\u{10FFFF}", count: 1_023) + ["\u{80}"]
    let code = try #require(Punycode.encode(worst))
    #expect(!code.isEmpty)
    #expect(Punycode.encode(worst + ["x"]) == nil)
  }

  /// What is encoded comes back, for any label.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func roundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ceilings: [UInt32] = [0x80, 0x250, 0x3000, 0x10000, 0x110000]
    let label = (0..<Int(random.next() % 40)).compactMap { _ in
      Unicode.Scalar(UInt32(random.next() % UInt64(ceilings.randomElement(using: &random) ?? 1)))
    }
    let code = try #require(Punycode.encode(label))
    #expect(Punycode.decode(code).map { Array($0.unicodeScalars) } == label)
  }
}
