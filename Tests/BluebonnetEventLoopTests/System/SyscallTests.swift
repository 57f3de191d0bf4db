// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct SyscallTests {
    @Test func bytesTravelAndTheEndIsTold() throws {
      let pair = try SocketPair()
      var text = Array("hello".utf8)
      #expect(text.withUnsafeBytes { Syscall.send(pair.left.rawValue, $0) } == .bytes(5))
      text.withUnsafeMutableBytes { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        #expect(Syscall.receive(pair.right.rawValue, bytes) == .bytes(5))
        #expect(Syscall.receive(pair.right.rawValue, bytes) == .wouldBlock)
      }
      #expect(text == Array("hello".utf8))
      try Syscall.shutdown(pair.left.rawValue, .sending)
      text.withUnsafeMutableBytes { bytes in
        #expect(Syscall.receive(pair.right.rawValue, bytes) == .endOfStream)
        let nothing = UnsafeMutableRawBufferPointer(rebasing: bytes[0..<0])
        #expect(Syscall.receive(pair.right.rawValue, nothing) != .endOfStream)
      }
    }

    @Test func quietMeansThatNothingWaits() throws {
      let pair = try SocketPair()
      #expect(Syscall.isQuiet(pair.right.rawValue))
      _ = [UInt8(1)].withUnsafeBytes { Syscall.send(pair.left.rawValue, $0) }
      #expect(!Syscall.isQuiet(pair.right.rawValue))
      var byte = [UInt8](repeating: 0, count: 4)
      #expect(byte.withUnsafeMutableBytes { Syscall.receive(pair.right.rawValue, $0) } == .bytes(1))
      #expect(Syscall.isQuiet(pair.right.rawValue))
      try Syscall.shutdown(pair.left.rawValue, .sending)
      #expect(!Syscall.isQuiet(pair.right.rawValue))
      #expect(!Syscall.isQuiet(-1))
    }

    @Test func vectorsAreSentInOneGo() throws {
      let pair = try SocketPair()
      var head = Array("head ".utf8)
      var body = Array("body".utf8)
      let sent = head.withUnsafeMutableBytes { head in
        body.withUnsafeMutableBytes { body in
          var vectors = [
            iovec(iov_base: head.baseAddress, iov_len: head.count),
            iovec(iov_base: body.baseAddress, iov_len: body.count),
          ]
          return vectors.withUnsafeMutableBufferPointer { Syscall.sendVector(pair.left.rawValue, $0) }
        }
      }
      #expect(sent == .bytes(9))
      var text = [UInt8](repeating: 0, count: 16)
      #expect(text.withUnsafeMutableBytes { Syscall.receive(pair.right.rawValue, $0) } == .bytes(9))
      #expect(text.prefix(9) == Array("head body".utf8)[...])
    }

    /// The default action of SIGPIPE would end the test process here.
    @Test func sendingToNobodyIsAnErrorAndNoSignal() throws {
      let pair = try SocketPair()
      try Syscall.shutdown(pair.right.rawValue, .both)
      let result = [UInt8](repeating: 1, count: 4).withUnsafeBytes { Syscall.send(pair.left.rawValue, $0) }
      #expect(result == .failed(SystemError(errno: EPIPE, call: "send")))
    }

    @Test func errorsNameTheCallAndTheReason() {
      let error = SystemError(errno: ECONNREFUSED, call: "connect")
      #expect(error.description == "connect: Connection refused (errno 111)")
      #expect(throws: SystemError(errno: EBADF, call: "listen")) { try Syscall.listen(-1, backlog: 1) }
    }

    @Test func ownerClosesUnlessReleased() throws {
      let numbers = try Syscall.socketPair()
      var byte: UInt8 = 0
      func isOtherEndOpen() -> Bool {
        withUnsafeMutableBytes(of: &byte) { Syscall.receive(numbers.1, $0) } == .wouldBlock
      }
      do {
        let owner = FileDescriptor(owning: numbers.0)
        #expect(owner.release() == numbers.0)
      }
      #expect(isOtherEndOpen())
      do {
        let owner = FileDescriptor(owning: numbers.0)
        #expect(owner.rawValue == numbers.0)
      }
      #expect(!isOtherEndOpen())
      close(numbers.1)
    }
  }
}
