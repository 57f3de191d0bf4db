// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetURLLoading

/// The record of one download of a list, in a file of its own:
///
///     bluebonnet download 1        the format and its version
///     0123456789abcdef             the checksum of the rest
///     {"url": …}                   JSON
///
/// It may come from an attacker: it is bounded, every part of it is checked, and it leads to no file outside the list's directory.
struct DownloadRecord: Codable, Equatable {
  enum Phase: String, Codable {
    /// Some of it, or nothing, has come.
    case loading
    /// All of it has come, and it is about to get its name.
    case finishing
    case complete
  }

  /// The bytes at hand, and the conditions on the rest. Their number is the file's length.
  struct Part: Codable, Equatable {
    var entityTag: String?
    var lastModified: String?
    var total: Int64?
    /// Bytes that are on the disk whatever happens to the machine.
    var synced: Int64 = 0
    /// The run of the machine in which it was written: as long as that lasts, all that was written is there.
    var boot: String?
  }

  var url: String
  /// Names and values.
  var fields: [[String]] = []
  var timeout: Double?
  var handlesCookies = true
  /// The name of the file.
  var name: String
  /// The place in the list.
  var order: Int
  var phase = Phase.loading
  var part: Part?
  /// Of the complete file.
  var length: Int64?
  /// The digest that the complete file has to have, in lower-case hexadecimal digits.
  var sha256: String?

  /// More is not read, nor written.
  static let byteLimit = 256 * 1024
  private static let head = "bluebonnet download "
  private static let version = "1"

  // MARK: Requests

  /// - Throws: `DownloadListError.refused` for anything but a plain GET of a whole.
  init(_ request: URLRequest, named name: String, order: Int) throws(DownloadListError) {
    guard Self.isFileName(name) else {
      throw .refused(reason: "its name is to be that of a file, without a path, up to 255 bytes long")
    }
    guard let url = request.url?.absoluteString, Self.isAddress(url) else {
      throw .refused(reason: "only http and https can be gone on with")
    }
    guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil,
      !ResumablePart.isConditional(request.headerFields)
    else { throw .refused(reason: "it is no plain GET of the whole") }
    (self.url, self.name, self.order) = (url, name, order)
    fields = request.headerFields.fields.map { [$0.name, $0.value] }
    timeout = request.statedTimeoutInterval
    handlesCookies = request.httpShouldHandleCookies
  }

  /// The request, without the fields that ask for the rest only.
  var request: URLRequest? {
    guard let url = URL(string: url) else { return nil }
    var request = URLRequest(url: url)
    var fields = HeaderFields()
    for field in self.fields where field.count == 2 { fields[field[0]] = field[1] }
    request.headerFields = fields
    if let timeout { request.timeoutInterval = timeout }
    request.httpShouldHandleCookies = handlesCookies
    return request
  }

  /// The proof that the rest belongs to the bytes at hand.
  var validator: RangeValidator? {
    get {
      if let tag = part?.entityTag { return .entityTag(tag) }
      return part?.lastModified.map { .lastModified($0) }
    }
    set {
      switch newValue {
      case .entityTag(let tag)?: part = Part(entityTag: tag)
      case .lastModified(let date)?: part = Part(lastModified: date)
      case nil: part = nil
      }
    }
  }

  // MARK: Bytes

  /// - Throws: `DownloadListError.refused` if there is too much of it.
  func bytes() throws(DownloadListError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(self) else { throw .refused(reason: "it cannot be written down") }
    let bytes = Array("\(Self.head)\(Self.version)\n\(Self.checksum(of: json))\n".utf8) + json
    guard bytes.count <= Self.byteLimit else { throw .refused(reason: "the request is too large") }
    return bytes
  }

  /// Reads a record that may come from an attacker.
  ///
  /// - Parameter file: The file's name, for errors.
  init(bytes: [UInt8], of file: String) throws(DownloadListError) {
    func damaged(_ reason: String) -> DownloadListError { .damaged(file: file, reason: reason) }
    guard bytes.count <= Self.byteLimit else { throw damaged("there is too much of it") }
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].starts(with: Self.head.utf8) else {
      throw damaged("it is none of this library")
    }
    let version = lines[0].dropFirst(Self.head.utf8.count)
    guard version.elementsEqual(Self.version.utf8) else {
      throw damaged("it is of another version of its format, and only \(Self.version) is known here")
    }
    guard lines[1].elementsEqual(Self.checksum(of: lines[2]).utf8) else {
      throw damaged("its checksum is another one")
    }
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(lines[2])) else {
      throw damaged("something of it is missing or of another kind")
    }
    if let flaw = record.flaw { throw damaged(flaw) }
    self = record
  }

  /// 16 hexadecimal digits.
  static func checksum(of json: some Sequence<UInt8>) -> String {
    let digits = String(Checksum.of(json), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The part of it that cannot be true.
  private var flaw: String? {
    if !Self.isAddress(url) || URL(string: url) == nil { return "its address is none that can be loaded" }
    if !Self.isFileName(name) { return "its name leads out of the directory" }
    if !fields.allSatisfy(Self.isField) { return "a field is none" }
    if ResumablePart.isConditional(request?.headerFields ?? HeaderFields()) {
      return "its request has a condition of its own"
    }
    if let timeout, !(timeout > 0 && timeout <= 1e9) { return "its time-out is none" }
    let numbers = [part?.total, part?.synced, length, Int64(order)].compactMap(\.self)
    if !numbers.allSatisfy({ (0...1 << 60).contains($0) }) { return "a length is beyond all measure" }
    if phase != .loading, length == nil { return "its length is missing" }
    if let sha256, DownloadRequest.digest(sha256).map(DownloadRequest.hexadecimal) != sha256 {
      return "its digest is not one"
    }
    guard let part else { return nil }
    switch (part.entityTag, part.lastModified) {
    case (let tag?, nil):
      let parsed = EntityTag(tag)
      return parsed.map { $0.isWeak || $0.opaque != tag } ?? true ? "its entity tag is none" : nil
    case (nil, let date?):
      return RangeValidator.isPlain(date) && HTTPDate.parse(date, now: 0) != nil ? nil : "its date is none"
    default: return "there is not one validator"
    }
  }

  private static func isField(_ field: [String]) -> Bool {
    field.count == 2 && !field[0].isEmpty && field[0].utf8.allSatisfy { ByteClass.token.contains($0) }
      && !field[1].utf8.contains(where: Byte.isForbiddenInValue)
  }

  private static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.prefix($0.utf8.count).equalsIgnoringASCIICase($0) }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// One name within a directory, and no other place.
  static func isFileName(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && name != "." && name != ".."
      && !name.utf8.contains { $0 == 0x2F || $0 < 0x20 || $0 == 0x7F }
  }
}
