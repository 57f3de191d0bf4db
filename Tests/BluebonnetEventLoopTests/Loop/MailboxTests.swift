// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct MailboxTests {
  @Test func parksOnlyWhenThereIsNothingToDo() {
    var mailbox = Mailbox()
    mailbox.push {}
    #expect(mailbox.park() == .goOn)
    #expect(mailbox.takeAll().count == 1)
    #expect(mailbox.park() == .sleep)
    #expect(mailbox.isParked)
  }

  @Test func wakesOncePerPark() {
    var mailbox = Mailbox()
    #expect(mailbox.park() == .sleep)
    #expect(mailbox.signal() == true)
    #expect(mailbox.signal() == false)
    mailbox.unpark()
    #expect(mailbox.park() == .sleep)
    #expect(mailbox.signal() == true)
  }

  @Test func signalBeforeParkKeepsTheThreadAwakeWithoutAWakeUp() {
    var mailbox = Mailbox()
    #expect(mailbox.signal() == false)
    #expect(mailbox.park() == .goOn)
    mailbox.unpark()
    #expect(mailbox.park() == .sleep)
  }

  @Test func jobsNeedAttentionOnlyWhileNobodyElseWillLook() {
    var mailbox = Mailbox()
    mailbox.push {}
    #expect(!mailbox.needsAttention, "the thread is awake")
    _ = mailbox.takeAll()
    #expect(mailbox.park() == .sleep)
    #expect(!mailbox.needsAttention, "there is no job")
    mailbox.push {}
    #expect(mailbox.needsAttention)
    #expect(mailbox.signal() == true)
    #expect(!mailbox.needsAttention, "the thread is coming")
  }

  @Test func afterStopEveryJobNeedsAttentionAndNothingWakes() {
    var mailbox = Mailbox()
    #expect(mailbox.park() == .sleep)
    #expect(mailbox.requestStop() == true)
    mailbox.unpark()
    #expect(mailbox.park() == .end)
    mailbox.stop()
    mailbox.push {}
    #expect(mailbox.needsAttention)
    #expect(mailbox.signal() == false)
    #expect(mailbox.needsAttention)
  }

  @Test func leavesTheMemoryOfABatchForTheNextOne() {
    var mailbox = Mailbox()
    var batch: [Mailbox.Job] = []
    mailbox.push {}
    mailbox.push {}
    mailbox.takeAll(into: &batch)
    #expect(batch.count == 2 && mailbox.jobs.isEmpty)
    batch.removeAll(keepingCapacity: true)
    mailbox.takeAll(into: &batch)
    #expect(batch.isEmpty && mailbox.jobs.capacity >= 2)
    mailbox.push {}
    #expect(mailbox.jobs.count == 1)
  }

  @Test func takesAtMostSoManyInOrder() {
    final class Log: @unchecked Sendable {  // One thread.
      var entries: [Int] = []
    }
    let log = Log()
    var mailbox = Mailbox()
    for number in 0..<5 { mailbox.push { log.entries.append(number) } }
    for job in mailbox.take(atMost: 3) { job.run() }
    #expect(log.entries == [0, 1, 2])
    for job in mailbox.take(atMost: 3) { job.run() }
    #expect(log.entries == [0, 1, 2, 3, 4])
    #expect(mailbox.jobs.isEmpty)
  }
}
