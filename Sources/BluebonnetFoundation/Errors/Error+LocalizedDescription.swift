// SPDX-License-Identifier: MIT
#if !Foundation
  import FoundationEssentials

  extension Error {
    /// The error in words: its own if it has any, otherwise what it prints.
    public var localizedDescription: String {
      (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }
  }
#endif
