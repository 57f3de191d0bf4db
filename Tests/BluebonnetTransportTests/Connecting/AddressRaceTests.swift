// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Glibc
import Testing

@testable import BluebonnetTransport

private let six1 = SocketAddress.loopback6(port: 1)
private let six2 = SocketAddress.loopback6(port: 2)
private let six3 = SocketAddress.loopback6(port: 3)
private let four1 = SocketAddress.loopback(port: 1)
private let four2 = SocketAddress.loopback(port: 2)

private let refused = SystemError(errno: ECONNREFUSED, call: "connect")
private let unreachable = SystemError(errno: ENETUNREACH, call: "connect")

private func at(_ milliseconds: UInt64) -> MonotonicTime {
  MonotonicTime(nanoseconds: milliseconds * 1_000_000)
}

@Suite struct AddressRaceTests {
  enum Event {
    case start
    case timer
    case success(Int)
    case failure(Int, SystemError)
    case cancel
  }

  struct Dialogue: CustomTestStringConvertible {
    var testDescription: String
    var addresses: [SocketAddress]
    var steps: [(at: UInt64, event: Event, actions: [AddressRace.Action])]
  }

  static let dialogues: [Dialogue] = [
    Dialogue(
      testDescription: "nothing to try", addresses: [],
      steps: [
        (
          0, .start,
          [.setTimer(nil), .fail(SystemError(errno: EADDRNOTAVAIL, call: "connect"), address: nil)]
        )
      ]),
    Dialogue(
      testDescription: "a single address succeeds", addresses: [four1],
      steps: [
        (0, .start, [.setTimer(nil), .open(id: 0, four1)]),
        (9, .success(0), [.setTimer(nil), .succeed(id: 0)]),
        (10, .timer, []),
        (10, .cancel, []),
      ]),
    Dialogue(
      testDescription: "families alternate, 250 ms apart", addresses: [six1, six2, six3, four1, four2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (250, .timer, [.setTimer(at(500)), .open(id: 1, four1)]),
        (500, .timer, [.setTimer(at(750)), .open(id: 2, six2)]),
        (750, .timer, [.setTimer(at(1_000)), .open(id: 3, four2)]),
        (1_000, .timer, [.setTimer(nil), .open(id: 4, six3)]),
        (1_250, .timer, []),
      ]),
    Dialogue(
      testDescription: "the resolver's favourite goes first", addresses: [four1, six1],
      steps: [(0, .start, [.setTimer(at(250)), .open(id: 0, four1)])]),
    Dialogue(
      testDescription: "the first to succeed wins and the others are closed",
      addresses: [six1, four1, six2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (250, .timer, [.setTimer(at(500)), .open(id: 1, four1)]),
        (300, .success(1), [.setTimer(nil), .close(id: 0), .succeed(id: 1)]),
        (301, .success(0), []),
        (302, .failure(0, refused), []),
      ]),
    Dialogue(
      testDescription: "a failure starts the next one at once", addresses: [six1, four1, six2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (10, .failure(0, refused), [.setTimer(at(260)), .open(id: 1, four1)]),
        (20, .failure(1, refused), [.setTimer(nil), .open(id: 2, six2)]),
        (30, .success(2), [.setTimer(nil), .succeed(id: 2)]),
      ]),
    Dialogue(
      testDescription: "a failure of one of several starts the next one, too",
      addresses: [six1, four1, six2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (250, .timer, [.setTimer(at(500)), .open(id: 1, four1)]),
        (260, .failure(0, refused), [.setTimer(nil), .open(id: 2, six2)]),
        (270, .failure(1, refused), []),
        (280, .success(2), [.setTimer(nil), .succeed(id: 2)]),
      ]),
    Dialogue(
      testDescription: "when all have failed the most telling error is reported",
      addresses: [six1, four1, six2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (1, .failure(0, unreachable), [.setTimer(at(251)), .open(id: 1, four1)]),
        (2, .failure(1, refused), [.setTimer(nil), .open(id: 2, six2)]),
        (3, .failure(2, unreachable), [.setTimer(nil), .fail(refused, address: four1)]),
        (4, .timer, []),
      ]),
    Dialogue(
      testDescription: "among equals the first error is reported", addresses: [six1, four1],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (1, .failure(0, refused), [.setTimer(nil), .open(id: 1, four1)]),
        (2, .failure(1, refused), [.setTimer(nil), .fail(refused, address: six1)]),
      ]),
    Dialogue(
      testDescription: "cancelling closes all", addresses: [six1, four1, six2],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (250, .timer, [.setTimer(at(500)), .open(id: 1, four1)]),
        (251, .cancel, [.setTimer(nil), .close(id: 0), .close(id: 1)]),
        (252, .cancel, []),
        (253, .success(0), []),
        (254, .timer, []),
      ]),
    Dialogue(
      testDescription: "answers of attempts that were never made are ignored", addresses: [six1, four1],
      steps: [
        (0, .start, [.setTimer(at(250)), .open(id: 0, six1)]),
        (1, .success(1), []),
        (2, .failure(7, refused), []),
      ]),
  ]

  @Test(arguments: dialogues)
  func answers(_ dialogue: Dialogue) {
    var race = AddressRace(dialogue.addresses)
    for step in dialogue.steps {
      let actions =
        switch step.event {
        case .start: race.start(now: at(step.at))
        case .timer: race.staggerIsOver(now: at(step.at))
        case .success(let id): race.attemptSucceeded(id: id)
        case .failure(let id, let error): race.attemptFailed(id: id, error, now: at(step.at))
        case .cancel: race.cancel()
        }
      #expect(actions == step.actions, "at \(step.at) ms, \(step.event)")
    }
  }
}
