// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The links of a response (RFC 8288).
@Suite struct LinkHeaderTests {
  private func response(_ values: String..., at url: String = "https://host.test/list/?page=1") throws
    -> HTTPURLResponse
  {
    HTTPURLResponse(
      url: try #require(URL(string: url)), statusCode: 200, minorVersion: 1,
      fields: FieldBlock(values.map { ("Link", $0) }))
  }

  /// In a form that tables can hold: target, relations, then the parameters.
  private func words(_ links: [LinkHeader]) -> [String] {
    links.map { link in
      let parameters = link.parameterNames.map { "\($0)=\(link[$0] ?? "nil")" }
      return ([link.target.absoluteString] + parameters).joined(separator: "|")
    }
  }

  @Test(arguments: [
    ("<https://a.test/2>; rel=\"next\"", ["https://a.test/2|rel=next"]),
    (
      "<?page=2>;rel=next, <?page=9>; rel=\"last\"",
      ["https://host.test/list/?page=2|rel=next", "https://host.test/list/?page=9|rel=last"]
    ),
    ("</a,b;c>; rel=x", ["https://host.test/a,b;c|rel=x"]),
    (
      "</a>; title=\"x, </b>; rel=y\", </c>",
      ["https://host.test/a|title=x, </b>; rel=y", "https://host.test/c"]
    ),
    ("</a>; title=\"a \\\"b\\\\ c\"", ["https://host.test/a|title=a \"b\\ c"]),
    ("<>", ["https://host.test/list/?page=1"]),
    (", ,</a>,, </b>,", ["https://host.test/a", "https://host.test/b"]),
    ("</a> ; ; REL = Next ;;crossorigin", ["https://host.test/a|rel=Next|crossorigin="]),
    ("</a>; rel=", ["https://host.test/a|rel="]),
    ("</a>; rel=x/y", ["https://host.test/a|rel=x/y"]),
    ("</a>; rel=next; rel=prev", ["https://host.test/a|rel=next|rel=next"]),
    // What does not follow the grammar, and all that comes after it in the line.
    ("", []), ("nonsense", []), ("<", []), ("</a", []), ("</a, </b>", ["https://host.test/a,%20%3C/b"]),
    ("</a>; title=\"never closed, </b>", []),
    ("</a>, </b>; title=\"x\\", ["https://host.test/a"]),
    ("</a> rel=next, </b>", []),
    ("</a>; title=\"x\"y, </b>", []),
    ("</a>, b, </c>", ["https://host.test/a"]),
  ])
  func theGrammar(value: String, expected: [String]) throws {
    #expect(words(try response(value).links) == expected)
  }

  @Test func severalLines() throws {
    let response = try response("<a>; rel=\"broken", "<b>; rel=next", "<c>; rel=next")
    #expect(
      response.links.map(\.target.absoluteString) == ["https://host.test/list/b", "https://host.test/list/c"])
    #expect(response.link(rel: "next")?.target.absoluteString == "https://host.test/list/b")
  }

  @Test func relations() throws {
    let uri = "https://rel.test/Type"
    let link = try #require(response("<a>; rel=\"Next  PREFETCH\t\(uri)\"").links.first)
    #expect(link.relations == ["next", "prefetch", uri])
    #expect(link.isRelated("NEXT") && link.isRelated("prefetch") && link.isRelated("https://rel.test/type"))
    #expect(!link.isRelated("nex") && !link.isRelated(""))
    #expect(try response("<a>").links.first?.relations == [])
    #expect(try response("<a>; rel=prev; rel=next").link(rel: "next") == nil)
    #expect(try response().links == [] && response().link(rel: "next") == nil)
  }

  @Test func anchors() throws {
    let response = try response(
      "<x>; rel=next; anchor=\"/other\"", "<y>; rel=next; anchor=\"#part\"", "<z>; rel=next; anchor=\"\"")
    #expect(
      response.links.map(\.anchor?.absoluteString) == [
        "https://host.test/other", "https://host.test/list/?page=1#part", "https://host.test/list/?page=1",
      ])
    #expect(response.link(rel: "next")?.target.absoluteString == "https://host.test/list/z")
  }

  @Test(
    arguments: [
      ("title*=UTF-8'de'n%c3%a4chstes; title=next", "n\u{E4}chstes"),
      ("title=next; title*=iso-8859-1''n%E4chstes", "n\u{E4}chstes"),
      ("title=next; title*=UTF-8''%ff", "next"), ("title=next; title*=klingon''x", "next"),
      ("title*=nonsense", nil), ("rel=x", nil),
    ] as [(String, String?)])
  func titles(parameters: String, expected: String?) throws {
    #expect(try response("<a>; \(parameters)").links.first?.title == expected)
  }

  /// The bytes of a reference stay as they are, whatever encoding the line is in.
  @Test func bytesOutsideASCII() async throws {
    let origin = Origin.inMemory()
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8)
    let utf8 = Array("Link: </\u{E4}>; title=\"\u{E4}\"\r\n".utf8)
    let latin1 = Array("Link: </".utf8) + [0xE4] + Array(">; title=\"".utf8) + [0xE4] + Array("\"\r\n".utf8)
    let broken = Array("Link: </".utf8) + [0xC3, 0x28, 0xFF] + Array(">; rel=next\r\n\r\n".utf8)
    origin.script("/", ScriptedReply([.bytes(head + utf8 + latin1 + broken)]))
    let session = Session(configuration: .patientInMemory)
    let response = await session.request(origin.baseURL + "/")
      .serializingData().response
    let links = try #require(response.response?.links)
    #expect(
      links.map(\.target.absoluteString) == ["/%C3%A4", "/%E4", "/%C3(%FF"].map { origin.baseURL + $0 })
    #expect(links.map(\.title) == ["\u{E4}", "\u{E4}", nil])
  }

  @Test func fromAHostileServer() throws {
    // The time is that of reading each byte once or twice: a square of it would take minutes.
    let many = Array(repeating: "<a>; rel=next", count: 20_000).joined(separator: ",")
    #expect(try response(many).links.count == 20_000)
    for piece in ["<", "<>", ";", "<a>;", "\"", "<a>;x=\"", ",", "<a>;x=\"\\", " ", "\\", "<a> ", "<a>; \""] {
      _ = try response(String(repeating: piece, count: 20_000)).links
    }
    let parameters = try response("<a>" + String(repeating: ";rel=x", count: 20_000)).links
    #expect(parameters.first?.parameterNames.count == 20_000)
    _ = try response("<" + String(repeating: "../", count: 20_000) + ">").links
    _ = try response("<a>; rel=\"" + String(repeating: "x ", count: 20_000) + "\"").link(rel: "y")
    // References of all kinds are only read.
    #expect(try response("<javascript:alert(1)>; rel=next").link(rel: "next")?.target.scheme == "javascript")
    #expect(try response("<a\u{1}b>, <c>").links.map(\.target.absoluteString) == ["https://host.test/list/c"])
    var generator = SeededGenerator(seed: 8288)
    let alphabet = Array("<>,;=\"\\ \t*'%a/?#:\u{E4}\u{0}")
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        })
      for link in try response(text).links { #expect(link.target.scheme != nil) }
    }
  }

  @Test func pagesOnTheWire() async throws {
    let origin = Origin.inMemory()
    for page in 1...3 {
      let link = page < 3 ? "Link: <page\(page + 1)>; rel=\"next\"\r\n" : ""
      origin.script("/list/page\(page)", .text("HTTP/1.1 200 OK\r\n\(link)Content-Length: 0\r\n\r\n"))
    }
    let session = Session(configuration: .patientInMemory)
    var next = URL(string: origin.baseURL + "/list/page1")
    while let url = next {
      next = await session.request(url).serializingData().response.response?.link(rel: "next")?.target
    }
    #expect(origin.requests.map(\.target) == ["/list/page1", "/list/page2", "/list/page3"])
  }
}
