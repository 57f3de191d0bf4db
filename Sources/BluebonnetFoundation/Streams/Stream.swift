// SPDX-License-Identifier: MIT
#if !Foundation
  /// Bytes that come or go one part after the other.
  open class Stream: NSObject {
    /// The state of a stream.
    public enum Status: UInt, Sendable {
      /// It has not been opened.
      case notOpen = 0
      /// It is being opened.
      case opening = 1
      /// It is open, and nothing happens in it.
      case open = 2
      /// It is being read from.
      case reading = 3
      /// It is being written to.
      case writing = 4
      /// There is nothing left to read.
      case atEnd = 5
      /// It was closed.
      case closed = 6
      /// It failed; `streamError` says why.
      case error = 7
    }

    /// The name of a property.
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
      /// The name of the property.
      public let rawValue: String

      /// Makes a key of a property's name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The bytes written to memory.
      public static let dataWrittenToMemoryStreamKey = PropertyKey(rawValue: "dataWrittenToMemory")
      /// The stream's position in a file.
      public static let fileCurrentOffsetKey = PropertyKey(rawValue: "fileCurrentOffset")
    }

    /// Makes a stream, for subclasses.
    public override init() {}

    /// Opens the stream; subclasses do something here.
    open func open() {}

    /// Gives back what the stream holds.
    open func close() {}

    /// The state of the stream.
    open var streamStatus: Status { .notOpen }

    /// Why the stream failed; `nil` if it has not.
    open var streamError: (any Error)? { nil }

    /// The value of a property; `nil` for one that the stream does not have.
    open func property(forKey key: PropertyKey) -> Any? { nil }
  }
#endif
