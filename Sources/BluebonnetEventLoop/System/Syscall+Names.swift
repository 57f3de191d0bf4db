// SPDX-License-Identifier: MIT
import BluebonnetLibc

extension Syscall {
  /// Asks the system's resolver, however long that takes. The addresses come in the order of RFC 6724, with port 0.
  package static func addresses(of host: String) -> Result<[SocketAddress], LookupFailure> {
    let result = lookUp(host, flags: 0)
    guard case .failure(let failure) = result else { return result }
    // Without a descriptor to ask with, the C library says that there is no such name, or to try again.
    if let shortage = descriptorShortage() {
      return .failure(LookupFailure(host: host, code: EAI_SYSTEM, errno: shortage.errno))
    }
    return .failure(failure)
  }

  /// The address that a number stands for (inet_aton(3)), which takes no asking.
  static func numericAddress(_ text: String) -> SocketAddress? {
    guard case .success(let addresses) = lookUp(text, flags: CInt(AI_NUMERICHOST)) else { return nil }
    return addresses.first
  }

  private static func lookUp(_ host: String, flags: CInt) -> Result<[SocketAddress], LookupFailure> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_flags = flags
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      return .failure(LookupFailure(host: host, code: code, errno: code == EAI_SYSTEM ? errno : 0))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
      if let address = SocketAddress(kernelBytes: bytes), !addresses.contains(address) {
        addresses.append(address)
      }
      next = entry.ai_next
    }
    guard !addresses.isEmpty else {
      return .failure(LookupFailure(host: host, code: EAI_NONAME, errno: 0))
    }
    return .success(addresses)
  }

  private static func descriptorShortage() -> SystemError? {
    do throws(SystemError) {
      try streamSocket(family: AF_UNIX).close()
      return nil
    } catch {
      return error.isDescriptorShortage ? error : nil
    }
  }
}
