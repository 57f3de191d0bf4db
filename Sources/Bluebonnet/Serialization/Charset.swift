// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetSemantics

/// A charset by its label (WHATWG Encoding §4.2) for which Foundation on Linux has no converter: glibc's `iconv(3)` has.
struct Charset: Sendable {
  /// The name that glibc knows it by.
  let name: String

  /// - Parameter label: A label of the standard, in any case; quotes and blanks around it do not count. Nil for an unknown one.
  init?(label: String) {
    let plain = label.utf8.drop { Self.surrounds($0) }.reversed().drop { Self.surrounds($0) }.reversed()
    guard let label = String(validating: plain, as: UTF8.self)?.asciiLowercased,
      let name = Self.names[label]
    else { return nil }
    self.name = name
  }

  private static func surrounds(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x22 || byte == 0x27 }

  /// Decodes text.
  ///
  /// - Returns: Nil where the bytes are not of this charset, or where this machine has no converter for it.
  func decode(_ data: Data) -> String? {
    guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var input = Array(data.map { CChar(bitPattern: $0) })
    var text: [UInt8] = []
    var piece = [CChar](repeating: 0, count: 1 << 14)
    // Bytes first, and at last what brings a charset with states back to the first.
    var isFlushing = false
    let isWhole = input.withUnsafeMutableBufferPointer { input -> Bool in
      var (source, left) = (input.baseAddress, input.count)
      while true {
        let (status, count, error) = piece.withUnsafeMutableBufferPointer { piece -> (Int, Int, Int32) in
          var (target, room) = (piece.baseAddress, piece.count)
          let status =
            isFlushing
            ? iconv(converter, nil, nil, &target, &room) : iconv(converter, &source, &left, &target, &room)
          return (Int(truncatingIfNeeded: status), piece.count - room, errno)
        }
        text += piece[..<count].map { UInt8(bitPattern: $0) }
        if status == -1 {
          guard error == E2BIG else { return false }
        } else if isFlushing {
          return true
        } else {
          isFlushing = true
        }
      }
    }
    return isWhole ? String(validating: text, as: UTF8.self) : nil
  }

  /// The standard's labels to glibc's names.
  private static let names: [String: String] = {
    var names: [String: String] = [:]
    for line in table {
      for label in line.labels.split(separator: " ") { names[String(label)] = line.name }
    }
    return names
  }()

  private static let table: [(name: String, labels: String)] = [
    ("UTF-8", "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
    ("CP866", "866 cp866 csibm866 ibm866"),
    (
      "ISO-8859-2",
      "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"
    ),
    (
      "ISO-8859-3",
      "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"
    ),
    (
      "ISO-8859-4",
      "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"
    ),
    (
      "ISO-8859-5",
      "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"
    ),
    (
      "ISO-8859-6",
      "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
        + "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    (
      "ISO-8859-7",
      "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        + "iso_8859-7:1987 sun_eu_greek"
    ),
    (
      "ISO-8859-8",
      "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        + "iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical"
    ),
    ("ISO-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    ("ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"),
    ("ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"),
    ("ISO-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"),
    ("ISO-8859-16", "iso-8859-16"),
    ("KOI8-R", "cskoi8r koi koi8 koi8-r koi8_r"),
    ("KOI8-U", "koi8-ru koi8-u"),
    ("MACINTOSH", "csmacintosh mac macintosh x-mac-roman"),
    ("CP874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"),
    ("CP1250", "cp1250 windows-1250 x-cp1250"), ("CP1251", "cp1251 windows-1251 x-cp1251"),
    // The standard reads ISO 8859-1 and ASCII as this one; the names that programs take literally stay with Foundation.
    ("CP1252", "cp1252 windows-1252 x-cp1252"), ("CP1253", "cp1253 windows-1253 x-cp1253"),
    (
      "CP1254",
      "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        + "windows-1254 x-cp1254"
    ),
    ("CP1255", "cp1255 windows-1255 x-cp1255"), ("CP1256", "cp1256 windows-1256 x-cp1256"),
    ("CP1257", "cp1257 windows-1257 x-cp1257"), ("CP1258", "cp1258 windows-1258 x-cp1258"),
    ("MAC-CYRILLIC", "x-mac-cyrillic x-mac-ukrainian"),
    // What calls itself GB 2312 is mostly its superset.
    ("GBK", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
    ("GB18030", "gb18030"), ("BIG5-HKSCS", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    ("EUC-JP", "cseucpkdfmtjapanese euc-jp x-euc-jp"), ("ISO-2022-JP", "csiso2022jp iso-2022-jp"),
    ("CP932", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
    (
      "CP949",
      "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
        + "windows-949"
    ),
  ]
}
