// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Makes something of each message of a WebSocket.
public protocol WebSocketMessageSerializer<Output, Failure>: Sendable {
  /// The type of its values.
  associatedtype Output: Sendable
  /// The type of its errors.
  associatedtype Failure: Error = any Error

  /// Makes something of a message. Called on the session's `serializationQueue`.
  ///
  /// - Throws: An error, told as ``WebSocketRequest/Event/Kind/serializerFailed(_:)``.
  func decode(_ message: URLSessionWebSocketTask.Message) throws -> Output
}

extension WebSocketMessageSerializer {
  /// Decodes JSON.
  ///
  /// - Parameters:
  ///   - type:    What to decode.
  ///   - decoder: `JSONDecoder()` by default.
  public static func json<Value: Decodable & Sendable>(
    decoding type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
  ) -> DecodableWebSocketMessageDecoder<Value> where Self == DecodableWebSocketMessageDecoder<Value> {
    DecodableWebSocketMessageDecoder(decoder: decoder)
  }
}

/// Decodes each message, whether it is text or not.
public struct DecodableWebSocketMessageDecoder<Value: Decodable & Sendable>: WebSocketMessageSerializer {
  /// Why a message could not be decoded.
  public enum Error: Swift.Error {
    /// The decoder says so.
    case decoding(any Swift.Error)
    /// A kind of message that did not exist when this was written.
    case unknownMessage(description: String)
  }

  /// Decodes the messages' bytes.
  public let decoder: any DataDecoder

  /// Makes a serializer.
  public init(decoder: any DataDecoder) { self.decoder = decoder }

  /// Decodes a message.
  ///
  /// - Throws: ``Error/decoding(_:)``.
  public func decode(_ message: URLSessionWebSocketTask.Message) throws -> Value {
    let data =
      switch message {
      case .data(let data): data
      case .string(let text): Data(text.utf8)
      }
    do {
      return try decoder.decodeReceived(Value.self, from: data)
    } catch {
      throw Error.decoding(error)
    }
  }
}
