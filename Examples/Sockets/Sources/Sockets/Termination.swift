// SPDX-License-Identifier: MIT
import Foundation

/// Returns when the process is asked to end, by SIGINT or SIGTERM, which end it no more by themselves.
public func terminationSignal() async {
  let (signals, arrival) = AsyncStream.makeStream(of: Void.self)
  let sources = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { arrival.yield() }
    source.activate()
    return source
  }
  for await _ in signals { break }
  withExtendedLifetime(sources) {}
}
