// SPDX-License-Identifier: MIT
import Glibc

/// Kills this process in front of one of its system calls, counted from 0. A test goes through the numbers, so each kill can be repeated,
/// and the speed of the machine does not matter.
///
/// The kernel holds each counted call until a thread of this process has answered (seccomp_unotify(2)), so the code under test knows
/// nothing of it.
public enum NumberedKill {
  /// A call that is counted.
  public enum Call: Sendable {
    case write, fsync, ftruncate, openat, unlinkat, renameat, linkat

    fileprivate var number: UInt64 {
      switch self {
      case .write: UInt64(choose(1, 64))
      case .fsync: UInt64(choose(74, 82))
      case .ftruncate: UInt64(choose(77, 46))
      case .openat: UInt64(choose(257, 56))
      case .unlinkat: UInt64(choose(263, 35))
      case .renameat: UInt64(choose(264, 38))
      case .linkat: UInt64(choose(265, 37))
      }
    }
  }

  /// The kernel refuses to have calls counted.
  public struct Failure: Error {
    /// The error number.
    public let code: Int32
  }

  /// Whether the kernel can hold calls. In CI it must.
  public static let isPossible: Bool = {
    if RealServer.areRequired { return true }
    var sizes = [UInt16](repeating: 0, count: 3)
    let getSizes = 3
    let isThere =
      sizes.withUnsafeMutableBytes { perform(seccomp, getSizes, 0, Int(bitPattern: $0.baseAddress)) } == 0
    if !isThere { print("System calls cannot be held: the tests with numbered kills are skipped.") }
    return isThere
  }()

  /// Kills the process as soon as it makes one more of these calls.
  ///
  /// - Parameters:
  ///   - number: The number of calls before that.
  ///   - calls: The calls that are counted.
  ///   - onAllThreads: Whether all threads count, or only the calling one and those that it starts.
  public static func arm(before number: Int, of calls: [Call], onAllThreads: Bool = false) throws {
    // Begun before calls are held: those that a thread makes to begin with would wait for itself.
    let order = Order(number)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(order)
    let code = pthread_create(
      &thread, nil,
      {
        guard let argument = $0 else { return nil }
        let order = Unmanaged<Order>.fromOpaque(argument).takeRetainedValue()
        if order.isReady.wait(seconds: 600) { NumberedKill.count(on: order.listener, upTo: order.number) }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw Failure(code: code)
    }
    let noNewPrivileges = 38
    _ = perform(prctl, noNewPrivileges, 1, 0)
    let listener = hold(calls, onAllThreads: onAllThreads)
    guard listener >= 0 else { throw Failure(code: errno) }
    order.listener = listener
    order.isReady.raise()
  }

  // Unchecked: the listener is written before the signal is raised, and read behind it.
  private final class Order: @unchecked Sendable {
    let number: Int
    let isReady = Signal()
    var listener = -1

    init(_ number: Int) { self.number = number }
  }

  /// Has the kernel hold calls from now on.
  ///
  /// - Returns: The descriptor at which they are told and answered; negative if that fails.
  private static func hold(_ calls: [Call], onAllThreads: Bool) -> Int {
    // struct sock_filter: the operation, the instructions to skip if it is true, if it is false, and the operand.
    func instruction(_ operation: UInt64, _ operand: UInt64, skipping count: Int = 0) -> UInt64 {
      operation | UInt64(count) << 16 | operand << 32
    }
    let (load, compare, end) = (UInt64(0x20), UInt64(0x15), UInt64(0x06))
    let (allow, notify) = (UInt64(0x7FFF_0000), UInt64(0x7FC0_0000))
    var program = [instruction(load, 0)]
    for (index, call) in calls.enumerated() {
      program.append(instruction(compare, call.number, skipping: calls.count - index))
    }
    program += [instruction(end, allow), instruction(end, notify)]
    let setFilter = 1
    // SECCOMP_FILTER_FLAG_NEW_LISTENER; with it _TSYNC and _TSYNC_ESRCH.
    let flags = onAllThreads ? 8 | 1 | 16 : 8
    return program.withUnsafeBytes { instructions in
      // struct sock_fprog
      let description = [UInt64(instructions.count / 8), UInt64(UInt(bitPattern: instructions.baseAddress))]
      return description.withUnsafeBytes {
        perform(seccomp, setFilter, flags, Int(bitPattern: $0.baseAddress))
      }
    }
  }

  /// Lets calls go on, and kills at the end.
  private static func count(on listener: Int, upTo number: Int) {
    let (receive, send) = (0xC050_2100, 0xC018_2101)
    var rest = number
    while true {
      // struct seccomp_notif and seccomp_notif_resp; both begin with what identifies the call.
      var call = [UInt64](repeating: 0, count: 10)
      let isHeld =
        call.withUnsafeMutableBytes { perform(ioctl, listener, receive, Int(bitPattern: $0.baseAddress)) }
        == 0
      guard isHeld else { continue }
      if rest == 0 { kill(getpid(), SIGKILL) }
      rest -= 1
      // SECCOMP_USER_NOTIF_FLAG_CONTINUE, behind 32 bits for an error.
      let answer = [call[0], 0, 1 << 32]
      _ = answer.withUnsafeBytes { perform(ioctl, listener, send, Int(bitPattern: $0.baseAddress)) }
    }
  }

  // MARK: System calls

  private static let seccomp = choose(317, 277)
  private static let prctl = choose(157, 167)
  private static let ioctl = choose(16, 29)

  /// A number of x86-64, or that of the architectures that number their calls alike.
  private static func choose(_ intel: Int, _ other: Int) -> Int {
    #if arch(x86_64)
      return intel
    #else
      return other
    #endif
  }

  private typealias SystemCall = @convention(c) @Sendable (Int, Int, Int, Int, Int, Int) -> Int

  /// The Glibc module shows no functions with a variable number of arguments.
  private static let function: SystemCall? = dlsym(nil, "syscall").map {
    unsafeBitCast($0, to: SystemCall.self)
  }

  private static func perform(_ call: Int, _ first: Int, _ second: Int, _ third: Int) -> Int {
    function?(call, first, second, third, 0, 0) ?? -1
  }
}
