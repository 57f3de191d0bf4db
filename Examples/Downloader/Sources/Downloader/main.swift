// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

let usage = """
  usage: Downloader [--to FOLDER] URL[#sha256=DIGEST]…
         Downloader [--to FOLDER] --demo

  """

func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

/// Fetches all at once. A signal stops them, and the next run goes on.
///
/// - Returns: The exit status.
func fetch(_ downloads: [Download]) async throws -> Int32 {
  let session = Session(interceptor: RetryPolicy(pauses: .init(hasFullJitter: true), retryLimit: 5))
  let board = ProgressBoard(downloads.map(\.file.lastPathComponent))
  let requests = try downloads.map { $0.isThere ? nil : try $0.request(session) }
  let signals = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      for request in requests { request?.cancel(producingResumeData: true) }
      // The second one ends the process at once.
      signal(number, SIG_DFL)
    }
    source.activate()
    return source
  }
  let status = await withTaskGroup { group in
    for (index, (download, request)) in zip(downloads, requests).enumerated() {
      guard let request else {
        board.finish(index, "is there already")
        continue
      }
      request.downloadProgress(queue: .global()) { board.update(index, $0) }
      group.addTask { () -> Int32 in
        do {
          let place = try await download.finish(request)
          let how = place.map { ", went on at byte \($0)" } ?? ""
          board.finish(index, "done\(how)" + (download.sha256 == nil ? "" : ", checksum verified"))
          return 0
        } catch let error as AFError where error.isExplicitlyCancelledError {
          board.finish(index, "stopped")
          return 130
        } catch {
          board.finish(index, "failed: \(error.localizedDescription)")
          return 1
        }
      }
    }
    return await group.reduce(0, max)
  }
  withExtendedLifetime(signals) {}
  await session.shutdown(deadline: .seconds(1))
  return status
}

var arguments = Array(CommandLine.arguments.dropFirst())
var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
if arguments.first == "--to", arguments.count > 1 {
  folder = URL(fileURLWithPath: arguments[1])
  arguments.removeFirst(2)
}
do {
  let demo = arguments == ["--demo"] ? try Demo() : nil
  let downloads = (demo?.addresses ?? arguments).map { Download($0, into: folder) }
  guard !downloads.isEmpty, !downloads.contains(where: { $0 == nil }) else {
    complain(usage)
    exit(2)
  }
  let status = try await fetch(downloads.compactMap { $0 })
  if status == 130 { complain("Run it again, and it goes on.\n") }
  withExtendedLifetime(demo) {}
  exit(status)
} catch {
  complain("Downloader: \(error.localizedDescription)\n")
  exit(1)
}
