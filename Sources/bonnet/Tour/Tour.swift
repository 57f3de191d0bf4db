// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin

/// The tour, `bonnet --tour`: shows the library's features, against origins inside the process, and
/// checks that it was done as promised.
struct Tour {
  let plain: Origin
  let secure: Origin

  static func take() async -> ExitStatus {
    do {
      let tour = Tour(plain: try Origin.start(), secure: try Origin.start(security: .tls))
      defer {
        tour.plain.stop()
        tour.secure.stop()
      }
      print("Origins at \(tour.plain.baseURL) and \(tour.secure.baseURL)\n")
      return await tour.visit(tour.stops)
    } catch {
      Terminal.say("bonnet: \(error)\n")
      return .refused
    }
  }

  /// Where to go on, with paths in the package.
  static let next = """
    The code of these requests is in Sources/bonnet/Tour.
    Read next: README.md, then Sources/Bluebonnet/Bluebonnet.docc/Usage.md.
    Try next: swift run bonnet -v https://example.org/, swift run bonnet --help
    """

  var stops: [TourStop] { requests + security + limits }

  private func visit(_ stops: [TourStop]) async -> ExitStatus {
    var broken = 0
    for stop in stops {
      let report = await stop.visit()
      print(report.line)
      if !report.isKept { broken += 1 }
    }
    print(broken == 0 ? "\nEverything as promised." : "\n\(broken) of \(stops.count) not as promised.")
    print("\n" + Self.next)
    return broken == 0 ? .success : .receiveFailed
  }
}
