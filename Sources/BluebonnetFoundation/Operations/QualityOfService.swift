// SPDX-License-Identifier: MIT
#if !Foundation
  import Dispatch

  /// The urgency of work.
  public enum QualityOfService: Int, Sendable {
    /// At once: a user watches it.
    case userInteractive = 33
    /// Soon: a user waits for it.
    case userInitiated = 25
    /// When nothing more urgent is left: a user follows its progress.
    case utility = 17
    /// Whenever it suits: no user waits for it.
    case background = 9
    /// As the system sees fit.
    case `default` = -1

    var dispatchClass: DispatchQoS.QoSClass {
      switch self {
      case .userInteractive: .userInteractive
      case .userInitiated: .userInitiated
      case .utility: .utility
      case .background: .background
      case .default: .default
      }
    }
  }
#endif
