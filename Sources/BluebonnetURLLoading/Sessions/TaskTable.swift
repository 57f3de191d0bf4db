// SPDX-License-Identifier: MIT

/// The tasks of a session that have not completed, by their number.
struct TaskTable<Task> {
  /// Apart, because often there is one, which takes no hashing then.
  private var first: (number: Int, task: Task)?
  private var others: [Int: Task] = [:]

  var isEmpty: Bool { first == nil && others.isEmpty }

  /// In the order of their numbers.
  var all: [Task] {
    var found = others.map { (number: $0.key, task: $0.value) }
    if let first { found.append(first) }
    return found.sorted { $0.number < $1.number }.map(\.task)
  }

  /// - Parameter number: One that no other task has had.
  mutating func insert(_ task: Task, number: Int) {
    if first == nil { first = (number, task) } else { others[number] = task }
  }

  mutating func remove(number: Int) {
    if let first, first.number == number { self.first = nil } else { others[number] = nil }
  }
}
