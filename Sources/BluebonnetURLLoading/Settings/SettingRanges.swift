// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionConfiguration.Settings {
  /// The first limit that is outside its range.
  var limitOutOfRange: RefusedSetting? {
    let checks: [RefusedSetting?] = [
      .check("responseHeadLimit", responseHeadLimit, 1...Int(Int32.max)),
      .check("responseLineLimit", responseLineLimit, 1...Int(Int32.max)),
      .check("responseFieldLimit", responseFieldLimit, 0...1_000_000),
      .check("responseBodyLimitInMemory", responseBodyLimitInMemory, 0...Int.max),
      .check("interimResponseLimit", interimResponseLimit, 0...1_000_000),
      .check("timeoutIntervalForIdleConnections", timeoutIntervalForIdleConnections, 0...1e9),
      .check("timeoutIntervalForContinue", timeoutIntervalForContinue, 0...1e9),
      .check("connectionAttemptDelay", connectionAttemptDelay, 0.01...2),
      .check("chunkOverheadLimit", chunkOverheadLimit, 0...Int(Int32.max)),
      .check("connectionLimit", connectionLimit, 1...1_000_000),
      .check("requestLimit", requestLimit, 1...1_000_000),
      .check("requestLimitPerHost", requestLimitPerHost, 1...1_000_000),
      .check("keepAliveInterval", keepAliveInterval, 1...32_767),
      .check("localPorts.lowerBound", localPorts?.lowerBound, 1...65_535),
      .check("localPorts.upperBound", localPorts?.upperBound, 1...65_535),
      .check("connectionEndpoint.port", connectionEndpoint?.port, 1...65_535),
      .check("lookupLimit", lookupLimit, 1...10_000),
      .check("redirectLimit", redirectLimit, 0...Int.max),
      .check("timeoutIntervalForConnection", timeoutIntervalForConnection, 0...1e9),
      .check("timeoutIntervalForWaiting", timeoutIntervalForWaiting, 0...1e9),
      .check("webSocketCompression.ownWindowBits", webSocketCompression?.ownWindowBits, 8...15),
      .check("webSocketCompression.peerWindowBits", webSocketCompression?.peerWindowBits, 8...15),
      decompressionLimitInMemory.outOfRange("decompressionLimitInMemory"),
      decompressionLimitWhenStreaming.outOfRange("decompressionLimitWhenStreaming"),
    ]
    return checks.lazy.compactMap(\.self).first
  }
}

extension URLSessionConfiguration.DecompressionLimit {
  /// The first number that is outside its range.
  fileprivate func outOfRange(_ member: String) -> RefusedSetting? {
    RefusedSetting.check("\(member).bytes", bytes, 0...Int.max)
      ?? .check("\(member).ratio", ratio, 1...Int.max)
      ?? .check("\(member).ratioThreshold", ratioThreshold, 0...Int.max)
  }
}

extension RefusedSetting {
  /// Nil for a value in the range, or for none; NaN is in no range.
  fileprivate static func check<Value: Comparable>(
    _ member: String, _ value: Value?, _ range: ClosedRange<Value>
  ) -> RefusedSetting? {
    guard let value, !range.contains(value) else { return nil }
    return RefusedSetting(
      "URLSessionConfiguration.\(member)", "is \(value)",
      instead: "set it to something from \(range.lowerBound) to \(range.upperBound)")
  }
}
