// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

/// Tells what goes over the wire: `-v`, `--trace-ascii`, `--trace`.
final class Trace: Sendable {
  enum Kind {
    case info
    case headOut
    case dataOut
    case headIn
    case dataIn
  }

  private struct State: ~Copyable {
    var file: OutputFile
    /// Bodies are summed up once for each stretch of them.
    var hasShownData = false
    /// Peers that requests went to.
    var peers: Set<String> = []
  }

  private let mode: GlobalOptions.TraceFormat
  private let stamps: Bool
  /// Lines of bodies are in the way where the body itself is shown.
  private let hidesData: Bool
  private let state: Mutex<State>
  private let reporter: Reporter

  init(_ globals: GlobalOptions, showsBodies: Bool) {
    reporter = Reporter(globals)
    mode = globals.trace
    stamps = globals.stampsTrace
    hidesData = showsBodies
    let place: OutputFile.Place =
      switch globals.trace {
      case .none: .nowhere
      case .verbose: .standardError
      case .text(let path), .hexadecimal(let path):
        path == "%" ? .standardError : path == "-" ? .standardOutput : .path(path)
      }
    state = Mutex(State(file: OutputFile(place)))
  }

  var isOn: Bool { mode != .none }

  func tell(_ kind: Kind, _ bytes: @autoclosure () -> [UInt8]) {
    switch mode {
    case .none: return
    case .verbose: tellShortly(kind, bytes())
    case .text: dump(kind, bytes(), isTextOnly: true)
    case .hexadecimal: dump(kind, bytes(), isTextOnly: false)
    }
  }

  /// Notes a peer, and returns whether it is the first time.
  func meets(_ route: ConnectionRoute) -> Bool {
    state.withLock { $0.peers.insert(ConnectionRoute.shown(route.host, route.port)).inserted }
  }

  func info(_ lines: [String]) { for line in lines { info(line) } }

  func info(_ text: @autoclosure () -> String) { tell(.info, Array((text() + "\n").utf8)) }

  private func tellShortly(_ kind: Kind, _ bytes: [UInt8]) {
    state.withLock { state in
      let mark: String
      switch kind {
      case .dataIn, .dataOut:
        guard !state.hasShownData, !hidesData else { return }
        state.hasShownData = true
        return write("\(stamp)\(kind == .dataIn ? "{" : "}") [\(bytes.count) bytes data]\n", &state)
      case .info: mark = "* "
      case .headIn: mark = "< "
      case .headOut: mark = "> "
      }
      state.hasShownData = false
      let lines = ByteText.lines(bytes, keepsEmptyOnes: true)
      write(lines.map { "\(stamp)\(mark)\($0)\n" }.joined(), &state)
    }
  }

  private func dump(_ kind: Kind, _ bytes: [UInt8], isTextOnly: Bool) {
    state.withLock { state in
      let title: String
      switch kind {
      case .info: return write("\(stamp)== Info: " + ByteText.text(bytes), &state)
      case .headIn: title = "<= Recv header"
      case .headOut: title = "=> Send header"
      case .dataIn: title = "<= Recv data"
      case .dataOut: title = "=> Send data"
      }
      let size = "\(bytes.count) bytes (0x\(String(bytes.count, radix: 16)))"
      write("\(stamp)\(title), \(size)\n" + HexDump.lines(bytes, isTextOnly: isTextOnly), &state)
    }
  }

  private var stamp: String {
    guard stamps else { return "" }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Decimals.padded(Int($0), to: 2) }
    return time.joined(separator: ":") + "." + Decimals.padded(now.tv_nsec / 1_000, to: 6) + " "
  }

  private func write(_ text: String, _ state: inout State) {
    if state.file.place != .standardError {
      do throws(CommandError) { return try state.file.write(text) } catch {
        // As with curl, it goes on where messages go.
        reporter.warn("the trace goes to standard error: \(error.message)")
        state.file = OutputFile(.standardError)
      }
    }
    Terminal.say(text)
  }
}

extension Trace {
  /// A part of a body has gone out, up to byte `end`.
  ///
  /// - Parameter body: Nil if it is not in memory.
  func tellSent(_ count: Int, of body: [UInt8]?, end: Int) {
    guard let body, end <= body.count, count <= end else {
      // It is not read a second time.
      return tell(.dataOut, [UInt8](repeating: UInt8(ascii: "."), count: min(count, 1 << 16)))
    }
    tell(.dataOut, Array(body[(end - count)..<end]))
  }
}
