// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestAuthority
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// Whole evaluations: responders and lists at an origin over HTTP.
@Suite struct RevocationTests {
  private let root: StatusAuthority
  private let origin: Origin

  init() throws {
    root = try StatusAuthority()
    origin = try Origin.start()
  }

  /// The kinds of answers that a responder at `/ocsp` and a distribution point at `/list` may give.
  enum Answer: Sendable {
    case none
    case ocsp(TestAnswer.Status)
    case list(revokes: Bool)
    case expired
    case otherSigner
    case bytes([UInt8])
    case status(Int)
    case reset
  }

  static let soft = kSecRevocationUseAnyAvailableMethod
  static let hard = kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var staple: Answer
    let ocsp: Answer
    let list: Answer
    let flags: UInt
    let status: OSStatus
    /// The paths that are asked, in order.
    let asks: [String]

    init(
      _ name: String, staple: Answer = .none, ocsp: Answer = .none, list: Answer = .none, _ flags: UInt,
      _ status: OSStatus, asks: [String]
    ) {
      testDescription = name
      self.staple = staple
      self.ocsp = ocsp
      self.list = list
      self.flags = flags
      self.status = status
      self.asks = asks
    }
  }

  static let incomplete = errSecIncompleteCertRevocationCheck
  static let rows: [Row] = [
    Row("responder says good", ocsp: .ocsp(.good), hard, errSecSuccess, asks: ["/ocsp"]),
    Row(
      "responder says revoked", ocsp: .ocsp(.revoked(reason: 1)), soft, errSecCertificateRevoked,
      asks: ["/ocsp"]),
    Row("responder does not know it", ocsp: .ocsp(.unknown), soft, incomplete, asks: ["/ocsp"]),
    Row(
      "responder does not know it, the list says good", ocsp: .ocsp(.unknown), list: .list(revokes: false),
      soft,
      errSecSuccess, asks: ["/ocsp", "/list"]),
    Row("nobody to ask, soft", soft, errSecSuccess, asks: []),
    Row("nobody to ask, hard", hard, incomplete, asks: []),
    Row("a list says good", list: .list(revokes: false), hard, errSecSuccess, asks: ["/list"]),
    Row("a list says revoked", list: .list(revokes: true), soft, errSecCertificateRevoked, asks: ["/list"]),
    Row(
      "the list is asked where the responder is out of date", ocsp: .expired, list: .list(revokes: true),
      soft,
      errSecCertificateRevoked, asks: ["/ocsp", "/list"]),
    Row("another signer, soft", ocsp: .otherSigner, soft, errSecSuccess, asks: ["/ocsp"]),
    Row("another signer, hard", ocsp: .otherSigner, hard, incomplete, asks: ["/ocsp"]),
    Row("out of date, hard", ocsp: .expired, hard, incomplete, asks: ["/ocsp"]),
    Row("no OCSP at all, soft", ocsp: .bytes([1, 2, 3]), soft, errSecSuccess, asks: ["/ocsp"]),
    Row("no OCSP at all, hard", ocsp: .bytes([1, 2, 3]), hard, incomplete, asks: ["/ocsp"]),
    Row("404, soft", ocsp: .status(404), list: .status(404), soft, errSecSuccess, asks: ["/ocsp", "/list"]),
    Row("404, hard", ocsp: .status(404), list: .status(404), hard, incomplete, asks: ["/ocsp", "/list"]),
    Row("reset, hard", list: .reset, hard, incomplete, asks: ["/list"]),
    Row(
      "lists first", ocsp: .ocsp(.revoked(reason: 1)), list: .list(revokes: false),
      hard | kSecRevocationPreferCRL, errSecSuccess, asks: ["/list"]),
    Row(
      "OCSP alone", ocsp: .status(500), list: .list(revokes: true), kSecRevocationOCSPMethod, errSecSuccess,
      asks: ["/ocsp"]),
    Row(
      "lists alone", staple: .ocsp(.good), ocsp: .ocsp(.good), list: .list(revokes: true),
      kSecRevocationCRLMethod, errSecCertificateRevoked, asks: ["/list"]),
    Row(
      "lists before a staple", staple: .ocsp(.good), list: .list(revokes: true),
      soft | kSecRevocationPreferCRL,
      errSecCertificateRevoked, asks: ["/list"]),
    Row("a staple first", staple: .ocsp(.good), ocsp: .ocsp(.unknown), hard, errSecSuccess, asks: []),
    Row(
      "a staple says revoked", staple: .ocsp(.revoked(reason: 4)), soft, errSecCertificateRevoked, asks: []),
    Row(
      "a staple out of date", staple: .expired, ocsp: .ocsp(.revoked(reason: 1)), soft,
      errSecCertificateRevoked, asks: ["/ocsp"]),
    Row(
      "offline, soft", ocsp: .ocsp(.revoked(reason: 1)), list: .list(revokes: true),
      soft | kSecRevocationNetworkAccessDisabled, errSecSuccess, asks: []),
    Row(
      "offline, hard", ocsp: .ocsp(.good), hard | kSecRevocationNetworkAccessDisabled, incomplete, asks: []),
    Row(
      "offline, hard, with a staple", staple: .ocsp(.good), hard | kSecRevocationNetworkAccessDisabled,
      errSecSuccess, asks: []),
  ]

  @Test(arguments: rows) func asksAndConcludes(_ row: Row) throws {
    var extensions: [TestExtension] = []
    if case .none = row.ocsp {} else { extensions.append(.responders(origin.baseURL + "/ocsp")) }
    if case .none = row.list {} else { extensions.append(.lists(origin.baseURL + "/list")) }
    let leaf = try root.server(extensions: extensions)
    for (path, answer) in [("/ocsp", row.ocsp), ("/list", row.list)] {
      let reply = try reply(answer, about: leaf, isList: path == "/list")
      origin.handle(path) { _ in reply }
    }
    let trust = try trust(leaf)
    if let staple = try bytes(row.staple, about: leaf, isList: false) {
      SecTrustSetOCSPResponse(trust, Data(staple))
    }
    #expect(try status(trust, row.flags) == row.status)
    #expect(origin.requests.map(\.path) == row.asks)
    for request in origin.requests where request.path == "/ocsp" {
      #expect(request.method == "POST")
      #expect(request.value("Content-Type") == "application/ocsp-request")
      #expect(request.value("Cookie") == nil && request.value("Authorization") == nil)
    }
  }

  private func bytes(_ answer: Answer, about leaf: StatusLeaf, isList: Bool) throws -> [UInt8]? {
    switch answer {
    case .none, .status, .reset: nil
    case .ocsp(let status): try root.response(about: leaf, TestAnswer(status))
    case .list(let revokes): try root.list(revoking: revokes ? [4_711] : [])
    case .expired:
      isList
        ? try root.list(thisUpdate: -9_000, nextUpdate: -4_000)
        : try root.response(
          about: leaf, TestAnswer().with { ($0.thisUpdate, $0.nextUpdate) = (-9_000, -4_000) })
    case .otherSigner:
      try root.response(about: [(leaf.certificate, TestAnswer())], signedBy: StatusAuthority("Other"))
    case .bytes(let bytes): bytes
    }
  }

  private func reply(_ answer: Answer, about leaf: StatusLeaf, isList: Bool) throws -> ScriptedReply {
    switch answer {
    case .none: .endpoint
    case .status(let code): .response(status: code)
    case .reset: .reset
    default: .response(body: try bytes(answer, about: leaf, isList: isList) ?? [])
    }
  }

  private func trust(_ leaf: StatusLeaf, host: String = "localhost") throws -> SecTrust {
    let trust = SecTrust(
      try ServerTrust(
        host: host, chain: [Certificate(der: leaf.der)],
        anchors: .certificates([Certificate(der: root.der)])))
    // The machine may be busy.
    trust.change { $0.revocationPatience = 600 }
    return trust
  }

  private func status(_ trust: SecTrust, _ flags: UInt) throws -> OSStatus {
    SecTrustSetPolicies(trust, try #require(SecPolicyCreateRevocation(flags)))
    var error: (any Error)?
    return SecTrustEvaluateWithError(trust, &error)
      ? errSecSuccess : try #require(error as? SecTrustError).status
  }

  // MARK: What is kept

  @Test func anAnswerIsKeptForAsLongAsItHolds() throws {
    let leaf = try root.server(extensions: [.responders(origin.baseURL + "/ocsp")])
    let good = try root.response(about: leaf)
    origin.handle("/ocsp") { _ in .response(body: good) }
    for _ in 0..<3 { #expect(try status(trust(leaf), Self.hard) == errSecSuccess) }
    #expect(origin.requests.count == 1)
    // What is known counts offline, too.
    #expect(
      try status(trust(leaf), Self.hard | kSecRevocationNetworkAccessDisabled) == errSecSuccess)
  }

  /// An evaluation as of another moment takes no answer that did not hold then, and is none for those of today.
  @Test func theDateIsThatOfTheAnswers() throws {
    let leaf = try root.server(extensions: [.responders(origin.baseURL + "/ocsp")])
    let good = try root.response(about: leaf)
    origin.handle("/ocsp") { _ in .response(body: good) }
    #expect(try status(trust(leaf), Self.hard) == errSecSuccess)
    for (seconds, expected) in [(0.0, errSecSuccess), (-4_000, Self.incomplete), (40_000, Self.incomplete)] {
      let trust = try trust(leaf)
      SecTrustSetVerifyDate(trust, Date(timeIntervalSinceNow: seconds))
      #expect(try status(trust, Self.hard) == expected, "\(seconds)")
      SecTrustSetOCSPResponse(trust, Data(good))
      #expect(try status(trust, Self.hard) == expected, "\(seconds)")
      #expect(((try? trust.evaluateStapledOCSPResponse()) != nil) == (expected == errSecSuccess))
    }
    let asked = origin.requests.count
    #expect(try status(trust(leaf), Self.hard) == errSecSuccess)
    #expect(origin.requests.count == asked)
  }

  @Test func anAnswerForTheMomentIsNotKept() throws {
    let leaf = try root.server(extensions: [.responders(origin.baseURL + "/ocsp")])
    let good = try root.response(about: leaf, TestAnswer().with { $0.nextUpdate = nil })
    origin.handle("/ocsp") { _ in .response(body: good) }
    for _ in 0..<2 { #expect(try status(trust(leaf), Self.hard) == errSecSuccess) }
    #expect(origin.requests.count == 2)
  }

  /// It may know the certificate soon.
  @Test func thatItIsUnknownIsNotKept() throws {
    let leaf = try root.server(extensions: [.responders(origin.baseURL + "/ocsp")])
    for (answer, expected) in [(TestAnswer.Status.unknown, Self.incomplete), (.good, errSecSuccess)] {
      let response = try root.response(about: leaf, TestAnswer(answer))
      origin.handle("/ocsp") { _ in .response(body: response) }
      #expect(try status(trust(leaf), Self.hard) == expected)
    }
    #expect(origin.requests.count == 2)
  }

  @Test func aListIsFetchedOnceForAllThatItIsAbout() throws {
    let list = try root.list(revoking: [2])
    origin.handle("/list") { _ in .response(body: list) }
    for (serial, expected) in [(1, errSecSuccess), (2, errSecCertificateRevoked), (3, errSecSuccess)] {
      let leaf = try root.server(serial: serial, extensions: [.lists(origin.baseURL + "/list")])
      #expect(try status(trust(leaf), Self.hard) == expected)
    }
    #expect(origin.requests.count == 1)
  }

  @Test func aThousandAskersAreOne() async throws {
    let leaf = try root.server(extensions: [.responders(origin.baseURL + "/ocsp")])
    let good = try root.response(about: leaf)
    origin.handle("/ocsp") { _ in
      ScriptedReply([.pause(milliseconds: 50)] + ScriptedReply.response(body: good).steps)
    }
    let trusts = try (0..<16).map { _ in try trust(leaf) }
    let verdicts = Locked<[OSStatus]>([])
    let queue = DispatchQueue(label: "askers", attributes: .concurrent)
    let group = DispatchGroup()
    for trust in trusts {
      queue.async(group: group) {
        let status = (try? self.status(trust, Self.hard)) ?? -1
        verdicts.withLock { $0.append(status) }
      }
    }
    await withCheckedContinuation { done in group.notify(queue: queue) { done.resume() } }
    #expect(verdicts.withLock { $0 } == Array(repeating: errSecSuccess, count: 16))
    #expect(origin.requests.count == 1)
  }

  /// Each holds a thread while it waits. Queues of their own get one each, up to 255 in a process; a queue that all share gets one
  /// more a second. This process is the crowd's alone.
  @Test func anAnswerFindsItsWayThroughACrowd() async {
    await #expect(processExitsWith: .success) {
      let tests = try RevocationTests()
      let crowd = 300
      for isShared in [false, true] {
        let leaf = try tests.root.server(extensions: [.responders(tests.origin.baseURL + "/\(isShared)")])
        let good = try tests.root.response(about: leaf)
        tests.origin.handle("/\(isShared)") { _ in
          ScriptedReply([.pause(milliseconds: 500)] + ScriptedReply.response(body: good).steps)
        }
        let verdicts = Locked<[OSStatus]>([])
        let isDone = DispatchSemaphore(value: 0)
        let shared = DispatchQueue(label: "crowd", attributes: .concurrent)
        for index in 0..<crowd {
          let trust = try tests.trust(leaf)
          trust.change { $0.revocationPatience = 60 }
          (isShared ? shared : DispatchQueue(label: "crowd \(index)")).async {
            let status = (try? tests.status(trust, RevocationTests.hard)) ?? -1
            let count = verdicts.withLock { verdicts in
              verdicts.append(status)
              return verdicts.count
            }
            if count == crowd { isDone.signal() }
          }
        }
        #expect(isDone.wait(timeout: .now() + 120) == .success)
        #expect(verdicts.withLock { $0 } == Array(repeating: errSecSuccess, count: crowd))
        #expect(tests.origin.requests.count(where: { $0.path == "/\(isShared)" }) == 1)
      }
    }
  }

  // MARK: Limits

  @Test func itMayNotBeLongerThanAMegabyte() throws {
    let leaf = try root.server(extensions: [.lists(origin.baseURL + "/list", origin.baseURL + "/stream")])
    origin.handle("/list") { _ in .response(body: [UInt8](repeating: 0, count: (1 << 20) + 1)) }
    origin.handle("/stream") { _ in
      ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .repeating([0], count: nil)])
    }
    #expect(try status(trust(leaf), Self.hard) == Self.incomplete)
    #expect(try status(trust(leaf), Self.soft) == errSecSuccess)
  }

  @Test func whatHangsIsGivenUp() throws {
    let leaf = try root.server(extensions: [
      .responders(origin.baseURL + "/hang"), .lists(origin.baseURL + "/hang"),
    ])
    origin.handle("/hang") { _ in .silence }
    for patience in [0.2, 0] {
      let trust = try trust(leaf)
      trust.change { $0.revocationPatience = patience }
      #expect(try status(trust, Self.soft) == errSecSuccess)
      #expect(try status(trust, Self.hard) == Self.incomplete)
    }
  }

  @Test func redirectsStayWithPlainHTTP() throws {
    let secure = try Origin.start(security: .tls)
    let list = try root.list()
    secure.handle("/list") { _ in .response(body: list) }
    origin.handle("/list") { _ in .response(body: list) }
    let origin = origin
    let places = [
      "/here": origin.baseURL + "/list", "/loop": origin.baseURL + "/loop",
      "/secure": secure.baseURL + "/list",
      "/file": "file:///etc/hosts",
      "/user": origin.baseURL.replacing("http://", with: "http://u:p@") + "/list",
    ]
    for (path, place) in places.sorted(by: { $0.key < $1.key }) {
      origin.handle(path) { _ in .response(status: 302, fields: [("Location", place)]) }
      let leaf = try root.server(extensions: [.lists(origin.baseURL + path)])
      #expect(
        try status(trust(leaf), Self.hard) == (path == "/here" ? errSecSuccess : Self.incomplete), "\(path)")
    }
    #expect(secure.requests.isEmpty && secure.connectionCount == 0)
  }

  /// A certificate of the Internet must not make its clients ask behind their own firewall.
  @Test func privateNetworksAreForPrivateServers() throws {
    let list = try root.list()
    origin.handle("/list") { _ in .response(body: list) }
    for base in [origin.baseURL, origin.baseURL.replacing("127.0.0.1", with: "localhost")] {
      let leaf = try root.server("DNS:host.test", extensions: [.lists(base + "/list")])
      #expect(try status(trust(leaf, host: "host.test"), Self.hard) == Self.incomplete)
      #expect(origin.connectionCount == 0)
    }
    let leaf = try root.server(extensions: [.lists(origin.baseURL + "/list")])
    for host in ["127.0.0.1", "::1", "192.168.1.1", "localhost", "a.localhost"] {
      #expect(try status(trust(leaf, host: host), Self.hard) == errSecSuccess, "\(host)")
    }
  }

  @Test func addressesOfNoUseAreNotAsked() throws {
    for address in ["http://u:p@127.0.0.1/", "http:///x", "http://"] {
      let leaf = try root.server(extensions: [.lists(address)])
      #expect(try status(trust(leaf), Self.hard) == Self.incomplete)
    }
  }

  // MARK: Chains

  /// Authorities below the anchor are asked about, too; the anchor is not.
  @Test func everyCertificateBelowTheAnchor() throws {
    let below = try StatusAuthority(
      "Below", below: root,
      extensions: [
        .authority, .keyUsage("keyCertSign,cRLSign"), .lists(origin.baseURL + "/root"),
      ])
    let leaf = try below.server(extensions: [.lists(origin.baseURL + "/below")])
    let belowList = try below.list()
    origin.handle("/below") { _ in .response(body: belowList) }
    let chain = try [leaf.der, below.der].map { try Certificate(der: $0) }
    let trust = SecTrust(
      try ServerTrust(
        host: "localhost", chain: chain, anchors: .certificates([Certificate(der: root.der)])))
    let rootList = try root.list(revoking: [1])
    origin.handle("/root") { _ in .response(body: rootList) }
    #expect(try status(trust, Self.soft) == errSecCertificateRevoked)
    #expect(origin.requests.map(\.path) == ["/below", "/root"])
    // Whoever is named as an anchor is trusted as it is.
    SecTrustSetAnchorCertificates(trust, [SecCertificate(chain[1])])
    #expect(try status(trust, Self.hard) == errSecSuccess)
    SecTrustSetAnchorCertificates(trust, [SecCertificate(chain[0])])
    #expect(try status(trust, Self.hard) == errSecSuccess)
  }

  @Test func aChainThatDoesNotHoldAsksNobody() throws {
    let other = try StatusAuthority("Other")
    let leaf = try other.server(extensions: [.lists(origin.baseURL + "/list")])
    #expect(try status(trust(leaf), Self.soft) == errSecNotTrusted)
    #expect(origin.requests.isEmpty)
  }

  @Test func aPromiseToStapleIsHeld() throws {
    let leaf = try root.server(extensions: [.mustStaple, .responders(origin.baseURL + "/ocsp")])
    let good = try root.response(about: leaf)
    origin.handle("/ocsp") { _ in .response(body: good) }
    let trust = try trust(leaf)
    #expect(try status(trust, Self.soft) == Self.incomplete)
    #expect(throws: SecTrustError.self) { try trust.evaluateStapledOCSPResponse() }
    SecTrustSetOCSPResponse(trust, Data(good))
    #expect(try status(trust, Self.soft) == errSecSuccess)
    #expect(trust.stapledOCSPResponse == Data(good))
    try trust.evaluateStapledOCSPResponse()
    // Also by a server's policy, once there has been a response at all.
    SecTrustSetOCSPResponse(trust, Data([1, 2, 3]))
    SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "localhost"))
    var error: (any Error)?
    #expect(!SecTrustEvaluateWithError(trust, &error))
    #expect((error as? SecTrustError)?.status == Self.incomplete)
    #expect(origin.requests.isEmpty)
  }

  @Test func aPolicyNeedsAWayToAsk() {
    for flags: UInt in [0, kSecRevocationRequirePositiveResponse, kSecRevocationPreferCRL, 1 << 9 | 1] {
      #expect(SecPolicyCreateRevocation(flags) == nil)
    }
    #expect(SecPolicyCreateRevocation(kSecRevocationOCSPMethod) != nil)
    #expect(kSecRevocationUseAnyAvailableMethod == 3)
  }
}
