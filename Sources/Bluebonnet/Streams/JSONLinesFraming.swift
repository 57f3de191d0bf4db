// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// Decodes a document from each line of the body: newline-delimited JSON, also called JSON Lines.
///
/// Lines end with LF or CRLF; the last one may lack its end. Empty lines, and lines of blanks, are left out. A line that cannot be
/// decoded is an error of its own, and the next one is read.
public struct JSONLinesFraming<Frame: Decodable & Sendable>: DataStreamFraming {
  private let decoder: any DataDecoder
  private var parser: LineParser

  /// Makes a framing.
  ///
  /// - Parameters:
  ///   - type: What each line is decoded as.
  ///   - decoder: Decodes it; `JSONDecoder()` by default.
  ///   - lineLimit: Bytes that a line may have; 1 MiB by default.
  public init(
    of type: Frame.Type = Frame.self, decoder: any DataDecoder = JSONDecoder(), lineLimit: Int = 1024 * 1024
  ) {
    self.decoder = decoder
    parser = LineParser(limit: lineLimit)
  }

  /// Reads a piece of the body. Throws for a line beyond the limit.
  public mutating func append(_ data: Data, _ take: (Result<Frame, AFError>) -> Void) throws(AFError) {
    let decoder = decoder
    do throws(FramingError) {
      try parser.append(data.span) { line in if let frame = Self.decode(line, decoder) { take(frame) } }
    } catch {
      throw AFError(error)
    }
  }

  /// Decodes the last line, if it had no end.
  public mutating func finish(_ take: (Result<Frame, AFError>) -> Void) {
    if let line = parser.finish(), let frame = Self.decode(line, decoder) { take(frame) }
  }

  private static func decode(_ line: ArraySlice<UInt8>, _ decoder: any DataDecoder) -> Result<Frame, AFError>?
  {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
    return Result { try decoder.decodeReceived(Frame.self, from: Data(line)) }
      .mapError { .responseSerializationFailed(reason: .decodingFailed(error: $0)) }
  }
}

extension DataStreamFraming {
  /// Newline-delimited JSON.
  ///
  /// - Parameters:
  ///   - type: What each line is decoded as.
  ///   - decoder: Decodes it; `JSONDecoder()` by default.
  ///   - lineLimit: Bytes that a line may have; 1 MiB by default.
  /// - Returns: The framing.
  public static func jsonLines<T: Decodable & Sendable>(
    of type: T.Type, decoder: any DataDecoder = JSONDecoder(), lineLimit: Int = 1024 * 1024
  ) -> Self where Self == JSONLinesFraming<T> {
    JSONLinesFraming(of: type, decoder: decoder, lineLimit: lineLimit)
  }
}
