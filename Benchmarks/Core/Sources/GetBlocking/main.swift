// SPDX-License-Identifier: MIT
import Measurement

// One GET by the main thread, the making of the client included.
let measurement = Measurement()
do {
  let client = try HTTPClient(measurement.configuration)
  measurement.report(try client.sendBlocking(.get(measurement.url)))
} catch {
  measurement.fail(error)
}
