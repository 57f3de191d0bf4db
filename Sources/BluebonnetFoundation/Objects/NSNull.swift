// SPDX-License-Identifier: MIT
#if !Foundation
  /// An object that stands for no value, where only objects can be.
  public final class NSNull: NSObject, @unchecked Sendable {
    // Unchecked: there is nothing in it.

    /// Whether the other is a `NSNull`, too.
    public override func isEqual(_ object: Any?) -> Bool { object is NSNull }

    /// The same for all of them: 0.
    public override var hash: Int { 0 }
  }
#endif
