// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetSemantics

@testable import BluebonnetLoading

/// A load without I/O: carries the actions of its machine out as the driver does, and says in words what has come of each event.
///
/// Events, one per line:
///
///     send                           the request goes out
///     401 Field: value | Field: …    a response has come
///     answer 1 user password         an answer to the first question: a credential
///     reject 1, decline 1, misfit 1  other answers to it: the next offer, none, a credential of the wrong kind
///     follow 2, stay 2               an answer to the second question, about a redirect
struct Dialogue {
  var machine: LoadMachine
  var origin: ChallengeStage?
  var proxy: ChallengeStage?
  var cache: CacheExchange?
  var credentials = AuthenticationCache()
  var url: String
  var method = "GET"
  let hasProxy: Bool
  private let expectsContinue: Bool
  private(set) var questions:
    [UInt32: (QuestionLog.Question, AuthenticationOffer?, RedirectPolicy.Redirect?)] = [:]
  /// The credentials that went to an origin, each with its host.
  private(set) var sent: [(host: String, value: String)] = []
  /// The hosts that users' names were given for.
  private var givenFor: [String: String] = [:]

  /// The present, in seconds since 1970.
  static let now = 1_800_000_000.0
  private static let sources = AuthenticationSources(
    random: { [UInt8](repeating: 7, count: $0) }, now: { 1_800_000_000 })

  /// - Parameter setup: Words out of `proxy`, `expect`, `stored` (a stale response with an entity tag), `fallback` (the same, which may
  ///   stand in for an error), `limit0` (no redirect is followed), `post`.
  init(_ setup: String = "", url: String = "http://a.test/x") {
    let words = Set(setup.split(separator: " ").map(String.init))
    machine = LoadMachine(redirectLimit: words.contains("limit0") ? 0 : 3)
    self.url = url
    hasProxy = words.contains("proxy")
    expectsContinue = words.contains("expect")
    if words.contains("post") { method = "POST" }
    if words.contains("stored") { cache = Self.stored("max-age=5") }
    if words.contains("fallback") { cache = Self.stored("max-age=5, stale-if-error=100") }
  }

  /// An exchange that validates a response stored ten seconds ago.
  private static func stored(_ control: String) -> CacheExchange? {
    var exchange = CacheExchange(
      method: "GET", fields: HeaderFields(), mode: .rules, partition: CachePartition())
    guard let selection = CacheSelection(vary: [], request: HeaderFields()) else { return nil }
    let head = StoredHead(
      status: 200, fields: FieldBlock([("Cache-Control", control), ("ETag", "\"1\"")]), selection: selection,
      requestTime: now - 10, responseTime: now - 10)
    guard case .forward = exchange.begin([head], now: now) else { return nil }
    return exchange
  }

  /// - Returns: What has come of it, in words.
  mutating func hear(_ line: String) -> String {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words[0] {
    case "send": return send()
    case "answer", "reject", "decline", "misfit", "follow", "stay": return answer(line)
    default:
      return receive(Int(words[0]) ?? 0, words.count > 1 ? words[1] : "")
    }
  }

  // MARK: The request

  private mutating func send() -> String {
    var stages: RequestStage.Set = [.origin]
    if hasProxy { stages.insert(.proxy) }
    var action = machine.send(by: stages)
    var said: [String] = []
    while case .enter(let stage) = action {
      if let field = authorize(stage) { said.append(field) }
      action = machine.requestPassed()
    }
    guard case .send = action else { return describe(action) }
    return "sends" + said.map { " \($0)" }.joined()
  }

  /// The host that the URL names.
  var authority: String { String(url.split(separator: "/", maxSplits: 2)[1]) }

  private mutating func authorize(_ stage: RequestStage) -> String? {
    let side: AuthenticationSide = stage == .origin ? .origin : .proxy
    if let known = origin, !known.isFor(WebOrigin(isSecure: false, host: authority, port: 80)) {
      origin = nil
    }
    guard var challenges = side == .origin ? origin : proxy else { return nil }
    defer { if side == .origin { origin = challenges } else { proxy = challenges } }
    let request = AuthenticatedRequest(method: method, target: "/x")
    switch try? challenges.authentication.proof(for: request, cache: &credentials) {
    case .field(let value):
      _ = challenges.sendsAgain()
      if side == .origin { sent.append((authority, value.text)) }
      return "\(side.credentialsFieldName): \(value.text.prefix { $0 != " " })"
    default: return nil
    }
  }

  // MARK: The response

  private mutating func receive(_ status: Int, _ text: String) -> String {
    let fields = text.split(separator: "|").map { field in
      let halves = field.split(separator: ":", maxSplits: 1)
      return (
        halves[0].filter { $0 != " " }, halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
      )
    }
    var stages: ResponseStage.Set = [.expectation]
    if cache != nil { stages.insert(.cache) }
    if hasProxy { stages.insert(.proxy) }
    if origin != nil || status == 401 { stages.insert(.origin) }
    if RedirectPolicy.isRedirect(status) { stages.insert(.redirect) }
    let head = LoadHead(status: status, fields: FieldBlock(fields), expectsContinue: expectsContinue)
    return run(machine.received(head, by: stages), status)
  }

  private mutating func run(_ first: LoadAction, _ status: Int) -> String {
    var action = first
    while true {
      switch action {
      case .examine(.cache):
        guard var exchange = cache else { return "no cache" }
        action = machine.examine(
          &exchange, requestTime: Self.now, now: Self.now, namesTarget: { false })
        cache = exchange
      case .examine(.proxy) where status == 407 || proxy != nil:
        var challenges = proxy ?? Self.stage(.proxy, "proxy.test")
        action = machine.examine(&challenges, &credentials)
        proxy = challenges
      case .examine(.origin):
        var challenges = origin ?? Self.stage(.origin, authority)
        action = machine.examine(&challenges, &credentials)
        origin = challenges
      case .examine(.redirect): action = machine.redirect(method: method, url: url)
      case .examine, .keep: action = machine.responsePassed()
      default:
        return describe(action)
      }
    }
  }

  private static func stage(_ side: AuthenticationSide, _ host: String) -> ChallengeStage {
    ChallengeStage(
      HTTPAuthentication(side, of: WebOrigin(isSecure: false, host: host, port: 80), sources: sources))
  }

  private mutating func describe(_ action: LoadAction) -> String {
    switch action {
    case .enter(let stage): return "enters \(stage)"
    case .send: return "sends"
    case .examine(let stage): return "examines \(stage)"
    case .deliver:
      machine.receive()
      return "delivers"
    case .discard(let next), .passOver(let next):
      machine.discard(then: next)
      return "\(next)".replacing("BluebonnetAuthentication.AuthenticationSide.", with: "")
    case .keep: return "keeps"
    case .serve(let index, let serving, let change):
      machine.discard(then: .serve)
      let changed =
        switch change {
        case .none: ""
        case .freshen: " freshened"
        case .forget: " forgotten"
        }
      return "serves \(index) as \(serving.status)\(changed)"
    case .askForCredential(let question, let offer):
      questions[question.number] = (question, offer, nil)
      return "asks \(question.number) \(offer.scheme)"
    case .askAboutRedirect(let question, let redirect):
      questions[question.number] = (question, nil, redirect)
      let target = redirect.target ?? "nowhere"
      return "asks \(question.number) \(redirect.becomesGET ? "GET " : "")\(target)"
        + (redirect.exceedsLimit ? " too often" : "")
    case .fail(let fault): return "fails \(fault.kind)"
    case .failUnanswerable(let offers):
      return "no answer to " + offers.map { "\($0.scheme)" }.joined(separator: " ")
    }
  }

  /// Whether what went out was meant for the host that it went to: the name in it was given for that.
  func wasMeant(for host: String, _ value: String) -> Bool {
    let text = value.hasPrefix("Basic ") ? BasicCredentials.user(value) : value
    return givenFor.allSatisfy { user, place in
      place == host || !text.contains("\"\(user)\"") && text != user
    }
  }

  // MARK: Answers

  private mutating func answer(_ line: String) -> String {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1, let number = UInt32(words[1]), let (question, offer, redirect) = questions[number],
      machine.take(question)
    else { return "ignored" }
    if let redirect { return answer(words[0], redirect) }
    guard let offer else { return "ignored" }
    let side: AuthenticationSide = question.subject == .credential ? .origin : .proxy
    guard var challenges = side == .origin ? origin : proxy else { return "nobody asked" }
    var action: LoadAction?
    switch words[0] {
    // A password answers no challenge of Negotiate.
    case "answer" where !Login.password(user: "", password: "").fits(offer.scheme):
      challenges.hasMisfit = true
    case "answer":
      if side == .origin { givenFor[words[2]] = challenges.authentication.place.host }
      challenges.authentication.answer(offer, with: .password(user: words[2], password: words[3]))
      action = .passOver(.resend(side))
    case "decline": challenges.decline()
    case "misfit": challenges.hasMisfit = true
    default: break
    }
    let next = action ?? machine.askForCredential(&challenges)
    if side == .origin { origin = challenges } else { proxy = challenges }
    return describe(next)
  }

  private mutating func answer(_ word: String, _ redirect: RedirectPolicy.Redirect) -> String {
    guard word == "follow", let target = redirect.target else { return describe(.deliver) }
    url = target
    if redirect.becomesGET { method = "GET" }
    cache = nil
    return describe(.discard(.follow))
  }
}

extension BasicCredentials {
  /// The name in a field's value.
  fileprivate static func user(_ value: String) -> String {
    let text =
      Base64.decode(value.dropFirst("Basic ".count)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return String(text.prefix { $0 != ":" })
  }
}
