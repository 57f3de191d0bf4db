// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

extension URLSessionConfiguration {
  /// The loop of a session's input, output and timers, one thing at a time.
  ///
  /// All sessions of the process share ``shared`` unless their configurations say otherwise, and one is enough for tens of
  /// thousands of requests per second. A loop of its own keeps a session apart from what happens on the others' loop, and
  /// lets its work go on at the same time:
  ///
  ///     let configuration = URLSessionConfiguration.default
  ///     configuration.eventLoop = URLSessionConfiguration.EventLoop(name: "bulk")
  ///
  /// Each loop has a thread (unless it is ``drivenByCallers(name:)``), two file descriptors and receive buffers of its own
  /// (256 KiB each, made when they are needed). Its thread ends when no configuration, session or load refers to it any more. Two are equal if they are the same
  /// loop, whatever their names.
  public struct EventLoop: Sendable, Hashable {
    private let owner: Owner

    /// The process's loop; its thread starts with the first request and never ends.
    public static let shared = EventLoop(Owner(.shared, name: "bluebonnet", isShared: true))

    /// Starts another loop.
    ///
    /// If the system has no thread or descriptor left, requests on it fail with the system's error.
    ///
    /// - Parameter name: The thread's name in debuggers, of which the kernel keeps the first 15 bytes; need not be unique.
    public init(name: String) {
      owner = Owner(BluebonnetEventLoop.EventLoop(name: name), name: name, isShared: false)
    }

    /// Makes a loop without a thread of its own, for programs that wait: it goes on while a thread is in ``run(_:)`` or in a
    /// task's `wait()`, on that thread. So no thread has to be woken, and a program that is one sequence of requests needs no
    /// second thread:
    ///
    ///     let loop = URLSessionConfiguration.EventLoop.drivenByCallers(name: "main")
    ///     let configuration = URLSessionConfiguration.ephemeral
    ///     configuration.eventLoop = loop
    ///     let session = URLSession(configuration: configuration)
    ///     let (data, response) = try session.dataTask(with: url).wait()
    ///
    /// Between two waits nothing goes on: connections stay open, but neither time-outs nor the server's closing are noticed before
    /// the next one, and tasks on the loop's ``taskExecutor`` rest. A load that is begun while no thread waits fails at once, and
    /// says why; one that another thread has begun during a wait rests when that is over.
    ///
    /// - Parameter name: Need not be unique.
    public static func drivenByCallers(name: String) -> EventLoop {
      EventLoop(
        Owner(BluebonnetEventLoop.EventLoop(name: name, hasThread: false), name: name, isShared: false))
    }

    private init(_ owner: Owner) { self.owner = owner }

    /// Runs `body` as a task on the loop, and waits for its end. A loop that is driven by callers runs on the calling thread
    /// meanwhile, and the task with it:
    ///
    ///     let data = try loop.run { try await session.data(from: url).0 }
    ///
    /// The rules of ``taskExecutor`` hold for `body`. Not for the main thread if `body` waits for the main actor or the
    /// main queue, nor for a thread that runs the loop already: that is a mistake which ends the program.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @available(*, noasync, message: "it would block a thread that other tasks need: await the body instead")
    public func run<Value: Sendable, Failure: Error>(
      _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
      let result: Result<Value, Failure> = Awaited.value(on: loop) { answer in
        let task: @Sendable () async -> Void = { answer(await Result(catching: body)) }
        Task(executorPreference: owner, operation: task)
      }
      return try result.get()
    }

    /// The name that it was made with; `bluebonnet` for the shared one.
    public var name: String { owner.name }

    package var loop: BluebonnetEventLoop.EventLoop { owner.loop }

    /// Runs tasks where the loop's input and output happen, so that no other thread has to be woken between a response
    /// and the task that awaits it:
    ///
    ///     await withTaskExecutorPreference(configuration.eventLoop.taskExecutor) {
    ///       try await socket.send(.string("ping"))
    ///       let answer = try await socket.receive()
    ///     }
    ///
    /// For sequences of short steps. As long as a task runs there, nothing else happens on the loop: one that computes
    /// holds up all sessions of the loop, and one that blocks until something has come from the network waits for ever. Give
    /// such a session a loop of its own. Debug builds report on standard error a task that has kept the loop for over two seconds.
    /// Tasks run one at a time, on the loop's thread or on one that calls a session.
    public var taskExecutor: any TaskExecutor { owner }

    /// Equal if they are the same loop.
    public static func == (left: EventLoop, right: EventLoop) -> Bool { left.owner === right.owner }

    /// Hashes the identity of the loop.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }

    /// Ends the loop's thread with the last reference.
    private final class Owner: TaskExecutor {
      let loop: BluebonnetEventLoop.EventLoop
      let name: String
      private let isShared: Bool

      init(_ loop: BluebonnetEventLoop.EventLoop, name: String, isShared: Bool) {
        self.loop = loop
        self.name = name
        self.isShared = isShared
      }

      deinit { if !isShared { loop.stopLater() } }

      /// Never at once, even in loop context: the code that resumes a task there has not finished yet.
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.enqueue { [self] in loop.runStep { job.runSynchronously(on: asUnownedTaskExecutor()) } }
      }
    }
  }
}

extension Result where Success: Sendable {
  fileprivate init(catching body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension URLSessionConfiguration {
  /// The loop that the configuration names.
  package var loopExecutor: CallbackExecutor { .loop(settings.eventLoop.loop) }
}
