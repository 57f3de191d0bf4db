// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

extension URLSession {
  /// Whether the caller runs on the delegate queue. Without Foundation's full module no queue says that it is the current one: true.
  var isOnDelegateQueue: Bool {
    #if Foundation
      OperationQueue.current === delegateQueue
    #else
      true
    #endif
  }
}
