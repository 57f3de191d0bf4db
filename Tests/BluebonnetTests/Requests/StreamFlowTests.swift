// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct StreamFlowTests {
  private func flow(consumers: Int) -> StreamFlow {
    var flow = StreamFlow()
    for _ in 0..<consumers { flow.add { _, _ in } }
    return flow
  }

  @Test func restsAboveTheMarkAndGoesOnBelowAQuarterOfIt() {
    var flow = flow(consumers: 1)
    let part = StreamFlow.highWater / 2 + 1
    #expect(flow.begin(part).rests == false)
    #expect(flow.begin(part).rests == true)
    #expect(flow.begin(part).rests == true, "This part may come from another attempt's task.")
    #expect(flow.consume(part) == false)
    #expect(flow.consume(part) == false)
    #expect(flow.consume(part) == true)
  }

  @Test func theEndWaitsForTheLastPart() {
    var flow = flow(consumers: 2)
    #expect(flow.wait {} == false)
    #expect(flow.begin(3).consumers.count == 2)
    #expect(flow.wait {} == true)
    #expect(flow.handOver().isEmpty)
    #expect(flow.handOver().count == 1)
    #expect(flow.wait {} == false)
  }

  @Test func nobodyIsAskedToConsumeWithoutConsumers() {
    var flow = flow(consumers: 0)
    let (consumers, rests) = flow.begin(StreamFlow.highWater * 2)
    #expect(consumers.isEmpty && !rests)
  }

  @Test func oneReaderHoldsBackAndSeveralDoNot() {
    #expect(flow(consumers: 1).holdsBackForReaders)
    #expect(!flow(consumers: 2).holdsBackForReaders)
  }
}
