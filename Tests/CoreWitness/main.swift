// SPDX-License-Identifier: MIT
import BluebonnetCore
import Glibc

// CoreWitness URL: one GET by a task and one without, and the statuses. A test looks at what it loads.
guard CommandLine.arguments.count == 2 else {
  print("CoreWitness URL")
  exit(2)
}

func status(of url: String, _ client: HTTPClient) throws -> Int {
  try client.sendBlocking(.get(url)).status
}

do {
  let client = try HTTPClient()
  let url = CommandLine.arguments[1]
  print(try await client.send(.get(url)).status, try status(of: url, client))
} catch {
  print(error)
  exit(1)
}
