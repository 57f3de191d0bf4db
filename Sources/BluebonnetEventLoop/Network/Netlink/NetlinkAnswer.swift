// SPDX-License-Identifier: MIT

/// The answer to one request: datagrams go in, and at some time the answer comes out.
///
///     waiting ──a single message──▶ complete
///        │  ▲
///        └──┘ one of several; then NLMSG_DONE ──▶ complete, or interrupted
///
package struct NetlinkAnswer {
  /// The next step.
  package enum Step: Equatable, Sendable {
    /// Receive more.
    case receive
    /// These messages are the answer.
    case complete([NetlinkMessage])
    /// The answer changed while it was told: ask again.
    case askAgain
    /// The kernel has refused, with this error number.
    case failed(errno: Int32)
    /// The bytes are no netlink.
    case malformed(NetlinkError)
  }

  private let sequence: UInt32
  private var messages: [NetlinkMessage] = []
  private var isInterrupted = false

  /// - Parameter sequence: The request's number.
  package init(to sequence: UInt32) { self.sequence = sequence }

  /// Takes what one `recv` has given.
  package mutating func take(_ datagram: some Sequence<UInt8>) -> Step {
    var parser = NetlinkParser(datagram)
    do throws(NetlinkError) {
      while let packet = try parser.next() {
        // The answer to an earlier request that was given up.
        guard packet.sequence == sequence else { continue }
        if packet.flags.contains(.interrupted) { isInterrupted = true }
        switch packet.message {
        case .done: return isInterrupted ? .askAgain : .complete(messages)
        case .acknowledged: return .complete(messages)
        case .failed(let errno): return .failed(errno: errno)
        case .overrun: return .askAgain
        case .link, .linkRemoved, .address, .addressRemoved, .route, .routeRemoved, .other:
          messages.append(packet.message)
          if !packet.flags.contains(.multipart) { return .complete(messages) }
        }
      }
      return .receive
    } catch {
      return .malformed(error)
    }
  }
}
