// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import Glibc

/// A program that tells, line by line, what the API says about the network it is started in. It ends with its standard input.
///
///     NetworkWitness manager [HOST]    each status that a manager tells
///     NetworkWitness status HOST…      the status and the flags of each, once
///     NetworkWitness monitors          each status of three monitors: of all, of wired and of no wired interfaces
///     NetworkWitness wait|offline      "ready"; then for each line read, a request to itself and what came of it
@main
struct NetworkWitness {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "manager": manager(arguments.dropFirst().first)
    case "status": for host in arguments.dropFirst() { status(host) }
    case "monitors": monitors()
    case "wait", "offline": await request(waits: arguments[0] == "wait")
    default: exit(64)
    }
  }

  private static func say(_ line: String) {
    let line = line + "\n"
    _ = write(STDOUT_FILENO, line, line.utf8.count)
  }

  private static func waitForTheEnd() {
    while readLine() != nil {}
  }

  private static func manager(_ host: String?) {
    let manager = host.map { NetworkReachabilityManager(host: $0) } ?? NetworkReachabilityManager()
    guard manager?.startListening(onQueue: .global(), onUpdatePerforming: { say("\($0)") }) == true else {
      return say("refused")
    }
    while let line = readLine() {
      if line == "stop" { manager?.stopListening() }
      say("now \(manager?.isReachable == true)")
    }
  }

  private static func status(_ host: String) {
    let manager = NetworkReachabilityManager(host: host)
    say("\(host) \(manager.map { "\($0.status)" } ?? "nil") \(manager?.flags?.rawValue ?? 0)")
  }

  private static func monitors() {
    let monitors = [
      ("all", NWPathMonitor()), ("wired", NWPathMonitor(requiredInterfaceType: .wiredEthernet)),
      ("others", NWPathMonitor(prohibitedInterfaceTypes: [.wiredEthernet])),
    ]
    for (name, monitor) in monitors {
      monitor.pathUpdateHandler = { path in
        let interfaces = path.availableInterfaces.map { "\($0.name) \($0.type)" }
        say(([name, "\(path.status)"] + interfaces).joined(separator: " "))
      }
      monitor.start(queue: .global())
    }
    waitForTheEnd()
    for (_, monitor) in monitors { monitor.cancel() }
  }

  private static func request(waits: Bool) async {
    guard let origin = try? Origin.start() else { return say("no origin") }
    let configuration = URLSessionConfiguration.af.ephemeral
    configuration.waitsForConnectivity = waits
    let monitor = ClosureEventMonitor(queue: .global())
    monitor.requestDidCompleteTaskWithError = { _, _, error in
      if let error = error?.underlyingError as? URLError { say("failed \(error.code.rawValue)") }
    }
    monitor.taskIsWaitingForConnectivity = { _, _ in say("waiting") }
    let session = Session(
      configuration: configuration, interceptor: .offlineRetrier(maximumWait: .seconds(120)),
      eventMonitors: [monitor])
    say("ready")
    while readLine() != nil {
      let response = await session.request(origin.baseURL + "/get").serializingData().response
      say("done \(response.response?.statusCode ?? 0)")
    }
  }
}
