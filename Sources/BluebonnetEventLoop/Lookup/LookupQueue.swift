/// Which lookups wait and how many threads work on them: a thread is started with a lookup that finds no idle place,
/// and ends when there is nothing left, so that none is kept for the rare lookup.
struct LookupQueue<Job: AnyObject> {
  /// The resolver may take half a minute for a single name; a few slow ones must not hold up the others.
  static var threadLimit: Int { 8 }

  private var waiting: [Job] = []
  private(set) var threads = 0

  init() {}

  /// True if a thread has to be started, which then calls `next`.
  mutating func add(_ job: Job) -> Bool {
    waiting.append(job)
    guard threads < Self.threadLimit else { return false }
    threads += 1
    return true
  }

  /// What a thread does next; with nil it ends.
  mutating func next() -> Job? {
    if waiting.isEmpty {
      threads -= 1
      return nil
    }
    return waiting.removeFirst()
  }

  /// The thread that `add` asked for could not be started. The jobs that nobody is left to do are given back.
  mutating func threadFailed() -> [Job] {
    threads -= 1
    guard threads == 0 else { return [] }
    let abandoned = waiting
    waiting = []
    return abandoned
  }

  /// Takes back a job that no thread has begun.
  mutating func remove(_ job: Job) {
    waiting.removeAll { $0 === job }
  }
}
