// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSError {
  /// Takes the oldest entry of this thread's OpenSSL error queue, and empties the queue.
  ///
  /// The oldest entry is the cause; later ones name the callers.
  static func queued(_ code: Code, otherwise fallback: String = "no reason given") -> TLSError {
    let entry = QueuedError.take()
    return TLSError(code, reason: entry?.text ?? fallback)
  }
}

extension TLSError {
  /// A context cannot be made with this setting.
  init(_ error: TLSSettingError) {
    self.init(.invalidConfiguration, reason: "\(error.member.rawValue) \(error.reason)")
  }
}

/// One entry of OpenSSL's per-thread error queue.
struct QueuedError {
  let library: Int32
  let reason: Int32
  let text: String

  /// Takes the oldest entry and clears the rest, so that nothing stale taints a later call.
  static func take() -> QueuedError? {
    let packed = ERR_peek_error()
    ERR_clear_error()
    guard packed != 0 else { return nil }
    let text = ERR_reason_error_string(packed).map { String(cString: $0) }
    return QueuedError(
      library: ERR_GET_LIB(packed), reason: ERR_GET_REASON(packed),
      text: text ?? "OpenSSL error \(packed)")
  }

  /// Empties the queue before a call that reports its failure there. Looking first costs a quarter of clearing.
  static func forgetAll() {
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }

  /// The description byte of a fatal alert received from the peer: OpenSSL numbers those from 1000.
  var receivedAlert: UInt8? {
    guard library == ERR_LIB_SSL, reason >= SSL_AD_REASON_OFFSET else { return nil }
    return UInt8(exactly: reason - SSL_AD_REASON_OFFSET)
  }
}
