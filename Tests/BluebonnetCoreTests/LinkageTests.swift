// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@Suite struct LinkageTests {
  /// Not optimised: what the optimiser drops is loaded, too. Dispatch is loaded by Swift's own concurrency library.
  @Test func aProgramLoadsNoFoundation() throws {
    let witness = Program.product("CoreWitness")
    let loaded = try Program("ldd").run(witness.path)
    #expect(loaded.status == 0)
    #expect(loaded.text.contains("libswiftCore"))
    #expect(!loaded.text.contains("Foundation"))
    let origin = try Origin.start()
    let outcome = try witness.run(origin.baseURL + "/get")
    #expect(outcome.text == "200 200\n")
  }
}
