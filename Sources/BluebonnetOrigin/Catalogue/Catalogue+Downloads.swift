// SPDX-License-Identifier: MIT
extension Catalogue {
  /// The time of the downloads' last modification, as far as a client can tell.
  static let lastModified = "Thu, 01 Jan 2026 00:00:00 GMT"
  private static let segments = 10
  /// A prime length, so that a part put at a wrong place is seen.
  private static let pattern = (0..<251).map { UInt8($0) }

  /// `/download/:n?shouldProduceError=`: ten segments a millisecond apart; byte i is i modulo 251.
  ///
  /// A range is always served whole, so that a broken download can be taken up again.
  func download(_ request: IncomingRequest) -> Reply {
    guard let total = Int(request.path[1]), (10...10_000_000).contains(total),
      total % Self.segments == 0
    else { return .refusal(400, "a multiple of 10, at most 10000000") }
    let tag = "\"\(total)\""
    let reply: Reply
    switch ByteRange.requested(by: request, of: total, entityTag: tag) {
    case .unsatisfiable:
      reply = Reply.empty(416).adding("Content-Range", "bytes */\(total)")
    case .part(let range):
      reply = Reply(
        status: 206, body: .sized(range.count, [.repeating(rotated(range.lowerBound), count: range.count)])
      )
      .adding("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)")
    case .whole:
      let breaks = request.queryItem("shouldProduceError").map { $0 != "false" } ?? false
      reply = Reply(body: .sized(total, wholeDownload(total, breaks: breaks)))
    }
    return
      reply
      .adding("Content-Type", "application/octet-stream")
      .adding("Accept-Ranges", "bytes")
      .adding("Last-Modified", Self.lastModified)
      .adding("ETag", tag)
  }

  private func wholeDownload(_ total: Int, breaks: Bool) -> [ScriptedReply.Step] {
    let size = total / Self.segments
    let served = breaks ? Self.segments * 7 / 10 : Self.segments
    var steps: [ScriptedReply.Step] = []
    for segment in 0..<served {
      if segment > 0 { steps.append(.pause(milliseconds: 1)) }
      steps.append(.repeating(rotated(segment * size), count: size))
    }
    // Not a reset: that could take bytes back which the client had not read yet.
    return breaks ? steps + [.abruptClose] : steps
  }

  /// The pattern as it stands at that offset.
  private func rotated(_ offset: Int) -> [UInt8] {
    let start = offset % Self.pattern.count
    return Array(Self.pattern[start...] + Self.pattern[..<start])
  }

  /// `/image/:type`.
  func image(_ request: IncomingRequest) -> Reply {
    let type = request.path[1]
    guard let image = ImageFixture.all[type] else {
      return .refusal(404, "no such image; there are \(ImageFixture.all.keys.sorted())")
    }
    return Reply.bytes(image.bytes, type: image.contentType)
      .adding("Content-Disposition", "attachment; filename=\"\(type).\(type)\"")
  }
}
