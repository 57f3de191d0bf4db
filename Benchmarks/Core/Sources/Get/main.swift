// SPDX-License-Identifier: MIT
import Measurement

// One GET by a task, the making of the client included.
let measurement = Measurement()
do {
  let client = try HTTPClient(measurement.configuration)
  measurement.report(try await client.send(.get(measurement.url)))
} catch {
  measurement.fail(error)
}
