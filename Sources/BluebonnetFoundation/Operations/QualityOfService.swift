#if !Foundation
  import Dispatch

  /// How important work is.
  public enum QualityOfService: Int, Sendable {
    case userInteractive = 33
    case userInitiated = 25
    case utility = 17
    case background = 9
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
