// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct TimelineTests {
  @Test func timesBetweenMoments() {
    let timeline = Timeline(
      requestStartTime: 10, initialResponseTime: 10.25, requestCompletedTime: 11,
      serializationCompletedTime: 11.0625)
    #expect(timeline.latency == 0.25 && timeline.requestDuration == 1)
    #expect(timeline.serializationDuration == 0.0625 && timeline.totalDuration == 1.0625)
    #expect(
      timeline.description
        == #"Timeline: { "Latency": 0.250 secs, "Request Duration": 1.000 secs, "#
        + #""Serialization Duration": 0.063 secs, "Total Duration": 1.063 secs }"#)
    #expect(Timeline(initialResponseTime: -0.0625).description.contains(#""Latency": -0.063 secs"#))
    #expect(Timeline().totalDuration == 0)
  }

  @Test func ofAResponse() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/late", ScriptedReply([.pause(milliseconds: 60)] + ScriptedReply.response(body: "x".utf8).steps))
    let session = Session(configuration: .inMemory)
    let response = await session.request(origin.baseURL + "/late").serializingString().response
    let timeline = response.timeline
    #expect(timeline.latency >= 0.05 && timeline.latency <= timeline.requestDuration)
    #expect(timeline.totalDuration >= timeline.requestDuration)
    let start = try #require(response.metrics).taskInterval.start.timeIntervalSinceReferenceDate
    #expect(timeline.requestStartTime == start)
    let download = await session.download(origin.baseURL + "/bytes/10").serializingData().response
    #expect(download.timeline.requestDuration > 0)
  }

  /// Without a response, the latency is all the time that it was waited for.
  @Test func ofAFailure() async throws {
    let origin = Origin.inMemory()
    origin.script("/reset", .reset)
    let session = Session(configuration: .inMemory)
    let failed = await session.request(origin.baseURL + "/reset").serializingData().response.timeline
    #expect(failed.requestStartTime > 0 && failed.latency == failed.requestDuration)
    let never = await session.request("").serializingData().response.timeline
    #expect(never.requestStartTime == 0 && never.requestDuration == 0)
  }
}
