#if !Foundation
  /// Bytes that come or go one part after the other.
  open class Stream: NSObject {
    /// Where a stream is in its life.
    public enum Status: UInt, Sendable {
      case notOpen = 0
      case opening = 1
      case open = 2
      case reading = 3
      case writing = 4
      case atEnd = 5
      case closed = 6
      case error = 7
    }

    /// The name of a property.
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
      /// The name.
      public let rawValue: String

      /// Wraps a name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// What has been written to memory.
      public static let dataWrittenToMemoryStreamKey = PropertyKey(rawValue: "dataWrittenToMemory")
      /// Where in a file the stream is.
      public static let fileCurrentOffsetKey = PropertyKey(rawValue: "fileCurrentOffset")
    }

    /// Makes a stream.
    public override init() {}

    /// Makes the stream ready.
    open func open() {}

    /// Gives back what the stream holds.
    open func close() {}

    /// Where the stream is in its life.
    open var streamStatus: Status { .notOpen }

    /// Why the stream failed.
    open var streamError: (any Error)? { nil }

    /// A property.
    open func property(forKey key: PropertyKey) -> Any? { nil }
  }
#endif
