/// Reads with OpenSSL's `d2i_…` functions.
enum DER {
  /// What one encoding holds; nil if it is none, or anything comes after it.
  static func read(
    _ bytes: [UInt8],
    _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: (OpaquePointer?) -> Void
  ) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let parsed = decode(&cursor, buffer.count) else { return nil }
      guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
        free(parsed)
        return nil
      }
      return parsed
    }
  }
}
