// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// One small picture per format that `/image/:type` serves: eight by eight pixels of one blue.
struct ImageFixture {
  let contentType: String
  let base64: String

  /// The file itself.
  var bytes: [UInt8] { Base64.decode(base64) ?? [] }
}

extension ImageFixture {
  static let all: [String: ImageFixture] = [
    "avif": ImageFixture(
      contentType: "image/avif",
      base64: """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA\
        AAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB8AAAAoaWluZgAAAAAAAQAA\
        ABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAgAAAAIAAAAEHBpeGkAAAAA\
        AwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACdtZGF0EgAKCDgI\
        v2EBDQaQMhEWQAYYYYQARmnt8KmhsRyzvg==
        """),
    "bmp": ImageFixture(
      contentType: "image/bmp",
      base64: """
        Qk1KAQAAAAAAAIoAAAB8AAAACAAAAAgAAAABABgAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/AAD/AAD/AAAAAAAA/0JH\
        UnMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAqlUzqlUz\
        qlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUz\
        qlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUz\
        qlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUzqlUz
        """),
    "gif": ImageFixture(
      contentType: "image/gif",
      base64: """
        R0lGODlhCAAIAPAAADNVqgAAACH5BAAAAAAALAAAAAAIAAgAAAIHhI+py+1dAAA7
        """),
    "heic": ImageFixture(contentType: "image/heic", base64: highEfficiency),
    "heif": ImageFixture(contentType: "image/heif", base64: highEfficiency),
    "jp2": ImageFixture(
      contentType: "image/jp2",
      base64: """
        AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAAAgAAw8HAAAAAAAPY29scgEA\
        AAAAABAAAACuanAyY/9P/1EALwAAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAw8BAQ8BAQ8BAf9SAAwAAAAB\
        AQMEBAAB/1wADUCAiIiQiIiQiIiQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAALQAB\
        /5PD/wABgAmKf8/8MAwC2w/H/gwGBzHfgICAgICAgICA/9k=
        """),
    "jpeg": ImageFixture(
      contentType: "image/jpeg",
      base64: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDREN\
        Dg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ\
        EBAQEBAQEBAQEBAQEBD/wAARCAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAA\
        AAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAHCP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AAxQA/f/2Q==
        """),
    "jxl": ImageFixture(
      contentType: "image/jxl",
      base64: """
        /wpBQEJxIQASiAIA0ABd5RIAABUqo4wbvJzr+fJDh8W0jesMbbVtYUmiyDg2SSdwSBIrwMYFGIaAATNHfTwgTSUJ
        """),
    "pdf": ImageFixture(
      contentType: "application/pdf",
      base64: """
        JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+IGVuZG9iagoyIDAgb2JqPDwvVHlwZS9QYWdl\
        cy9LaWRzWzMgMCBSXS9Db3VudCAxPj4gZW5kb2JqCjMgMCBvYmo8PC9UeXBlL1BhZ2UvUGFyZW50IDIgMCBSL01lZGlhQm94\
        WzAgMCA4IDhdPj4gZW5kb2JqCnhyZWYKMCA0CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAw\
        MDAwMDUzIDAwMDAwIG4gCjAwMDAwMDAxMDMgMDAwMDAgbiAKdHJhaWxlcjw8L1NpemUgNC9Sb290IDEgMCBSPj4Kc3RhcnR4\
        cmVmCjE2MwolJUVPRgo=
        """),
    "png": ImageFixture(
      contentType: "image/png",
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEUzVapwmIX0AAAAC0lEQVQI12NgQAUAABAAAaHFIcEA\
        AAAASUVORK5CYII=
        """),
    "tiff": ImageFixture(
      contentType: "image/tiff",
      base64: """
        SUkqAIgBAAAzM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VV\
        qqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VV\
        qqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VV\
        qqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VV\
        qqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VV\
        qqozM1VVqqozM1VVqqozM1VVqqozM1VVqqozM1VVqqoPAAABAwABAAAACAAAAAEBAwABAAAACAAAAAIBAwADAAAAQgIAAAMB\
        AwABAAAAAQAAAAYBAwABAAAAAgAAAAoBAwABAAAAAQAAABEBBAABAAAACAAAABIBAwABAAAAAQAAABUBAwABAAAAAwAAABYB\
        AwABAAAACAAAABcBBAABAAAAgAEAABwBAwABAAAAAQAAACkBAwACAAAAAAABAD4BBQACAAAAeAIAAD8BBQAGAAAASAIAAAAA\
        AAAQABAAEACF61EAAACAAMP1qAAAAAACzcxMAAAAAAHNzEwAAACAAM3MTAAAAAACj8L1AAAAABA3GqAAAAAAAiuHCgAAACAA
        """),
    "webp": ImageFixture(
      contentType: "image/webp",
      base64: """
        UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAfQqs5Utf+BiOh/AAA=
        """),
  ]

  /// One file of High Efficiency, which has two names.
  private static let highEfficiency = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAaxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA\
    AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAAgACAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHQAAEAAAAAAAAAWgACAAEA\
    AAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAA\
    AADXaXBycAAAALVpcGNvAAAAdWh2Y0MBBAgAAAAAAAAAAAAe8AD8/fr6AAAPAyAAAQAXQAEMAf//BAgAAAMAnbgAAAMAAB66\
    AkAhAAEAKkIBAQQIAAADAJ24AAADAAAeoCCBBNluqumubgQEDAgAAAMACAAAAwAIQCIAAQAGRAHBc8GJAAAAFGlzcGUAAAAA\
    AAAAQAAAAEAAAAAUaXNwZQAAAAAAAAAIAAAACAAAABBwaXhpAAAAAAMKCgoAAAAaaXBtYQAAAAAAAAACAAECgQIAAgIDhAAA\
    ABppcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAAYm1kYXQAAABWKAGvEyGvLFjpYDVtwiCfYgdqcNmhOKXNf/vgnCTP2AQ6HyqL\
    55GUhCd2t3bEZQmHDAWnvj8lfsD9VhH2CWmBluHkwhDhgQENGiBI//Wv//OmmL7NN9M=
    """
}
