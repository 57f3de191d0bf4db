#if !Foundation
  /// Nothing, as an object.
  public final class NSNull: NSObject, @unchecked Sendable {
    // Unchecked: there is nothing in it.

    /// All nulls are equal.
    public override func isEqual(_ object: Any?) -> Bool { object is NSNull }

    /// All nulls are equal.
    public override var hash: Int { 0 }
  }
#endif
