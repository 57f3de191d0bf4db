import BluebonnetEventLoop

/// What a load needs that does not go straight to a server, made when it is needed. Touched while the loop is held.
final class Detour {
  /// The end of a delay, or of a wait for a network.
  var timer: TimerToken?
  /// The earliest date has passed while the task was suspended.
  var mayBegin = false
  /// How often a way to the server was looked for in vain.
  var failedAttempts: UInt32 = 0
  /// The class that loads instead of an exchange.
  var protocolLoad: ProtocolLoad?
  /// How often such a class has sent the task elsewhere.
  var redirects = 0

  /// The load has ended.
  func end(on loop: EventLoop) {
    if let timer { loop.cancel(timer) }
    timer = nil
    mayBegin = false
    protocolLoad?.stop()
    protocolLoad = nil
  }
}

extension TaskLoad {
  /// The load's detour, made if there is none.
  var ownDetour: Detour {
    if let detour { return detour }
    let made = Detour()
    detour = made
    return made
  }
}
