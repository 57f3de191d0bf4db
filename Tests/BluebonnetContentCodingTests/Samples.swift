// SPDX-License-Identifier: MIT

/// Bodies coded by others than this package: Python's gzip and zlib, and the brotli library at its best.
enum Samples {
  static let words = Array("Bluebonnets bloom in April.".utf8)
  static let lines = (0..<400).flatMap { Array("Bluebonnets bloom in April. \($0)\n".utf8) }

  /// With a file name in its header.
  static let gzipWords = bytes(
    """
    1f8b08080000000002ff776f7264732e7478740073ca294d4dcacfcb4b2d295648cac9cfcf55c8cc53702c28caccd103
    00c284eb961b000000
    """)
  static let zlibWords = bytes(
    """
    789c73ca294d4dcacfcb4b2d295648cac9cfcf55c8cc53702c28caccd10300905a09f8
    """)
  static let rawWords = bytes(
    """
    73ca294d4dcacfcb4b2d295648cac9cfcf55c8cc53702c28caccd10300
    """)

  static let brotliEmpty = bytes("06")
  static let brotliWords = bytes(
    """
    0b0d80426c7565626f6e6e65747320626c6f6f6d20696e20417072696c2e03
    """)
  static let brotliLines = bytes(
    """
    1b9131e08dd45eb539d0ec746cd86dc95d007463a93ee78341d03d28157403901b5ccc24c0d0c3b7d48289dc3cc1303a
    ffaefdeb40fdc993ac9adbb73fffa776ecdcb57bcfde7df6ddef04850e00100486406160f70bfc0020080c81c2c0ee17
    f401401018028581dd2ff803802030040a03bb5fc80700416008140676bfd00f0082c010280cec7e613e00080243a030
    b0fb85fd0020080c81c2c0ee17ee03802030040a03fb6ada9e7c04429158229591852bf802a1482c91cac8c2157e8150
    2496486564e18abe4028124ba432b270c55f20148925521959b8922f108ac412a98c2c5ce91708456289544616aecc17
    08456289544616aeec1708456289544616aedc1708456289544676bf2bfc5f20148925521959b8822f108ac412a98c2c
    5ce11708456289544616aee80b8422b1442a230b57fc05429158229591852bf902a1482c91cac8c2957e815024964865
    64e1ca7c81502496486564e1ca7e81502496486564e1ca7d81502496486564f7bba2ff05429158229591852bf802a148
    2c91cac8c2157e81502496486564e18abe4028124ba432b270c55f20148925521959b8922f108ac412a98c2c5ce91708
    456289544616aecc1708456289544616aeec1708456289544616aedc17084562895446f6b907
    """)
  /// 40 MiB of zeros in 67 bytes.
  static let brotliBomb = bytes(
    """
    cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f011087
    0500baf77ff9ffff877f02200e0b0074efff00
    """)

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
