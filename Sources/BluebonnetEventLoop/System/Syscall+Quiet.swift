import Glibc

extension Syscall {
  /// Whether a connected socket has neither bytes nor an end nor an error waiting, by looking without taking.
  package static func isQuiet(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
      if count >= 0 { return false }
      if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK }
    }
  }
}
