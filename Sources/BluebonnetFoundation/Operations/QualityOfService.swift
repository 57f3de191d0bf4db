#if !Foundation
  import Dispatch

  /// How soon work has to be done.
  public enum QualityOfService: Int, Sendable {
    /// At once: somebody watches it.
    case userInteractive = 33
    /// Soon: somebody waits for it.
    case userInitiated = 25
    /// When nothing more urgent is left: somebody follows its progress.
    case utility = 17
    /// Whenever it suits: nobody waits for it.
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
