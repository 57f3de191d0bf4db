// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Decodes values from bytes: `JSONDecoder`, `PropertyListDecoder`, or a type of yours.
///
/// Called on the session's ``Session/serializationQueue``.
public protocol DataDecoder: Sendable {
  /// The value of this type that the bytes hold.
  func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}

extension DataDecoder {
  /// Decodes bytes of a peer: Foundation's reader of property lists is not given what it would not survive.
  func decodeReceived<D: Decodable>(_ type: D.Type, from data: Data) throws -> D {
    if self is PropertyListDecoder {
      do throws(PropertyListBounds.Objection) {
        try PropertyListBounds.check(data)
      } catch {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: [], debugDescription: error.errorDescription ?? "", underlyingError: error))
      }
    }
    return try decode(type, from: data)
  }
}
