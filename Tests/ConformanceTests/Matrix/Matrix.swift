// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// Many fields of a table, each `ok` or what went wrong in it.
struct Matrix: Sendable {
  typealias Field = @Sendable () async throws -> [String]

  let title: String
  /// Above the names of the rows, and above the fields.
  let head: [String]
  private(set) var rows: [(name: [String], fields: [Field])] = []

  init(_ title: String, _ head: [String]) { (self.title, self.head) = (title, head) }

  /// - Parameter fields: Each tells its faults.
  mutating func row(_ name: [String], _ fields: [Field]) { rows.append((name, fields)) }

  /// Fills the fields in, some at a time, prints them, and records each that is not `ok`.
  func judge() async {
    let columns = head.count - (rows.first?.name.count ?? 0)
    var texts = rows.map { Array(repeating: "", count: $0.fields.count) }
    var places = rows.indices.flatMap { row in (0..<columns).map { (row, $0) } }[...]
    await withTaskGroup(of: (Int, Int, String).self) { group in
      func next() {
        guard let (row, column) = places.popFirst() else { return }
        let field = rows[row].fields[column]
        group.addTask { (row, column, await Self.text(field)) }
      }
      for _ in 0..<6 { next() }
      while let (row, column, text) = await group.next() {
        texts[row][column] = text
        next()
      }
    }
    show(zip(rows, texts).map { $0.name + $1 })
    for (row, fields) in zip(rows, texts) {
      for (name, text) in zip(head.suffix(columns), fields) where text != "ok" {
        Issue.record("\(row.name.joined(separator: ", ")), \(name): \(text)")
      }
    }
  }

  private static func text(_ field: Field) async -> String {
    do {
      let faults = try await field()
      return faults.isEmpty ? "ok" : faults.joined(separator: "; ")
    } catch {
      return "\(error)"
    }
  }

  private func show(_ lines: [[String]]) {
    // What is long is told as an issue.
    let lines = [head] + lines.map { $0.map { $0.count > 24 ? $0.prefix(23) + "…" : $0 } }
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = "\(title)\n"
    for line in lines {
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      text += "  " + cells.joined(separator: "  ") + "\n"
    }
    let fields = lines.dropFirst().flatMap { $0.suffix(head.count - (rows.first?.name.count ?? 0)) }
    print("\(text)\(fields.count { $0 == "ok" }) of \(fields.count) fields are ok")
  }
}

extension Session {
  /// One that remembers nothing of other fields, for this way and with these credentials for its proxy.
  static func matrix(through proxy: MatrixProxy?, as credential: URLCredential? = nil) throws -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 20
    configuration.timeoutIntervalForResource = 30
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    try proxy?.apply(to: configuration, as: credential)
    return Session(configuration: configuration)
  }
}

extension AFDataResponse<Data> {
  /// How it ended, in few words.
  var outcome: String {
    if let status = response?.statusCode { return "\(status)" }
    let reason = error?.underlyingError ?? error
    return (reason as? URLError).map { "\($0.code) \($0.localizedDescription)" }
      ?? "\(reason, default: "nothing")"
  }
}
