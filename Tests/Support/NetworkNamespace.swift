// SPDX-License-Identifier: MIT
import Glibc

/// A network of its own (network_namespaces(7)), with no interface but its `lo`, which is down: for tests that take links
/// up and down. It goes with the last reference, and with the last socket in it.
public final class NetworkNamespace: Sendable {
  /// What did not work.
  public struct Failure: Error, Sendable {
    /// The call, or the command.
    public let call: String
    /// The system's error number, or the command's exit status.
    public let code: Int32
  }

  private typealias Enter = @convention(c) (Int32, Int32) -> Int32
  private typealias Leave = @convention(c) (Int32) -> Int32
  private static let newNetwork: Int32 = 0x4000_0000

  /// Whether this process may make one: usually only as root. In CI it must.
  public static let isPermitted: Bool = {
    if RealServer.areRequired { return true }
    // `unshare` as a command, because a thread that has left the network cannot come back.
    let outcome = try? Program("unshare").run("--net", "ip", "link")
    if outcome?.status != 0 {
      print("Network namespaces are not permitted, or `ip` is not there: their tests are skipped.")
    }
    return outcome?.status == 0
  }()

  private let descriptor: Int32

  /// Makes one.
  public init() async throws {
    descriptor = try await detached {
      let unshare: Leave = try Self.function("unshare")
      let setns: Enter = try Self.function("setns")
      let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
      guard home >= 0 else { throw Failure(call: "open", code: errno) }
      defer { close(home) }
      guard unshare(Self.newNetwork) == 0 else { throw Failure(call: "unshare", code: errno) }
      let descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
      let failure = errno
      guard setns(home, Self.newNetwork) == 0 else { fatalError("the way home is lost") }
      guard descriptor >= 0 else { throw Failure(call: "open", code: failure) }
      return descriptor
    }
  }

  deinit { close(descriptor) }

  /// Does something on a thread that is in it: sockets and processes that are made there belong to it, whoever uses them.
  ///
  /// It must not make other threads, nor put anything into a queue, which may make some: they would be in it, too, and
  /// whatever runs on them later.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await detached { [self] in
      let setns: Enter = try Self.function("setns")
      let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
      guard home >= 0 else { throw Failure(call: "open", code: errno) }
      defer { close(home) }
      guard setns(descriptor, Self.newNetwork) == 0 else { throw Failure(call: "setns", code: errno) }
      let result = Result(catching: work)
      // Whoever is told of the result may be told on a new thread.
      guard setns(home, Self.newNetwork) == 0 else { fatalError("the way home is lost") }
      return try result.get()
    }
  }

  /// Runs `ip` in it.
  public func ip(_ command: String) async throws {
    try await run {
      let status = try Program("ip").run(command.split(separator: " ").map(String.init)).status
      guard status == 0 else { throw Failure(call: "ip \(command)", code: status) }
    }
  }

  /// Runs `ip` in it with many commands at once.
  public func ip(batch commands: [String]) async throws {
    try await run {
      var path = Array("/tmp/bluebonnet-ip-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { throw Failure(call: "mkstemp", code: errno) }
      defer {
        close(file)
        unlink(path)
      }
      let text = commands.joined(separator: "\n") + "\n"
      guard write(file, text, text.utf8.count) == text.utf8.count else {
        throw Failure(call: "write", code: errno)
      }
      let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      let status = try Program("ip").run("-batch", name).status
      guard status == 0 else { throw Failure(call: "ip -batch", code: status) }
    }
  }

  /// Adds a cable: `v0` at this end, with this address, and `v1` at the other; both up.
  public func plugIn(_ address: String = "192.0.2.1/24") async throws {
    try await ip("link add v0 type veth peer name v1")
    // IPv6 addresses would come by themselves, some time later.
    try await ip("link set v0 addrgenmode none")
    try await ip("link set v1 addrgenmode none")
    try await ip("address add \(address) dev v0")
    try await ip("link set v0 up")
    try await ip("link set v1 up")
    try await waitForState("UP")
  }

  /// Waits until the kernel says so of `v0`: it notices a little later that something is at the other end, or not any more.
  public func waitForState(_ state: String) async throws {
    for _ in 0..<6000 {
      let text = try await run { try Program("ip").run("-o", "link", "show", "dev", "v0").text }
      if text.contains(" state \(state) ") { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure(call: "state \(state)", code: ETIMEDOUT)
  }

  /// Functions of Linux that the Glibc module does not show.
  private static func function<Function>(_ name: String) throws -> Function {
    guard let symbol = dlsym(nil, name) else { throw Failure(call: name, code: ENOSYS) }
    return unsafeBitCast(symbol, to: Function.self)
  }
}
