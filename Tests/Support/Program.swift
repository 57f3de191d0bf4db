// SPDX-License-Identifier: MIT
import Glibc

/// Another program, run to its end.
public struct Program: Sendable {
  /// How it ended and what it wrote to standard output.
  public struct Outcome: Sendable {
    /// Its exit status; 128 and more if a signal ended it.
    public let status: Int32
    /// Its standard output.
    public let output: [UInt8]
    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// It could not be started.
  public struct NotStarted: Error, Sendable {
    /// What was asked for.
    public let path: String
    /// Why not.
    public let errno: Int32
  }

  /// Where it is, or its name on the search path.
  public let path: String

  /// A program by its name on the search path, or by its path.
  public init(_ path: String) { self.path = path }

  /// A program of this package, built beside the tests.
  public static func product(_ name: String) -> Program {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return Program(
      variable("BLUEBONNET_PRODUCTS").map { "\($0)/\(name)" } ?? folder.joined(separator: "/") + "/" + name)
  }

  /// Runs it with nothing to read, and waits.
  public func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs it with nothing to read, and waits.
  public func run(_ arguments: [String]) throws -> Outcome {
    var ends: [Int32] = [0, 0]
    // A pair of sockets, because Glibc's overlay has no pipe2, and a pipe that isn't closed on exec from the start
    // would leak into whatever another test starts meanwhile.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw NotStarted(path: path, errno: errno) }
    defer { close(ends[0]) }
    let process: pid_t
    do {
      defer { close(ends[1]) }
      process = try start(arguments, output: ends[1])
    }
    let output = drain(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    return Outcome(status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), output: output)
  }

  /// Starts it and does not wait.
  ///
  /// - Parameters:
  ///   - input: What it reads; nothing by default.
  ///   - output: What it writes to.
  func start(_ arguments: [String], input: Int32? = nil, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, path, &actions, nil, &words, environ)
    guard failure == 0 else { throw NotStarted(path: path, errno: failure) }
    return process
  }

  private func drain(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
    }
  }
}

/// Runs something that blocks, such as a ``Program``, on a thread of its own: the threads that tasks share are few.
public func detached<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job { continuation.resume(with: Result(catching: work)) })
    let failure = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      return continuation.resume(throwing: Program.NotStarted(path: "a thread", errno: failure))
    }
    pthread_detach(thread)
  }
}

private final class Job {
  private let work: () -> Void

  init(_ work: @escaping () -> Void) { self.work = work }

  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().work() }
    return nil
  }
}
