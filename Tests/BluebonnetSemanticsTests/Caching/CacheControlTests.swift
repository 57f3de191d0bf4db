// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

/// How `Cache-Control` is read (RFC 9111 §5.2).
@Suite struct CacheControlTests {
  private func response(_ lines: String...) -> ResponseDirectives {
    ResponseDirectives(FieldBlock(lines.map { ("cache-control", $0) }))
  }

  @Test(
    arguments: [
      ("max-age=5", 5), ("MAX-AGE=5", 5), ("max-age=\"5\"", 5), (" , ,max-age=5,", 5), ("max-age=005", 5),
      ("max-age=5, max-age=5", 5), ("a=\"max-age=9\", max-age=5", 5), ("a=\"\\\", max-age=9\", max-age=5", 5),
      ("max-age=2147483648", 1 << 31), ("max-age=2147483649", 1 << 31),
      ("max-age=99999999999999999999999999", 1 << 31), ("a;b, max-age=5", 5), ("=, max-age=5", 5),
    ] as [(String, Int)])
  func theAgeThatIsStated(_ value: String, _ age: Int) {
    #expect(response(value).maxAge == age)
    #expect(!response(value).options.contains(.brokenFreshness))
  }

  /// RFC 9111 §4.2.1.
  @Test(arguments: [
    "max-age", "max-age=", "max-age=-5", "max-age=5.0", "max-age='5'", "max-age =5", "max-age= 5",
    "max-age=5 6",
    "max-age=a5", "max-age=5a", "max-age=5, max-age=6", "max-age=\"5", "max-age=\"\"", "max-age=٥",
    "no max-age=5",
  ])
  func anAgeThatIsNone(_ value: String) {
    #expect(response(value).options.contains(.brokenFreshness))
  }

  @Test(
    arguments: [
      ("no-store", ResponseDirectives.Options.noStore), ("No-Cache", .noCache),
      ("must-revalidate", .mustRevalidate), ("must-understand", .mustUnderstand), ("public", .isPublic),
      ("private", .isPrivate), ("immutable", .immutable), ("immutable=1", .immutable),
      ("private=\"a\"", []), ("no-cache=\"a\"", []), ("s-maxage=5", []), ("no-storex", []),
      ("x-no-store", []),
      ("a=no-store", []), ("a=\"no-store, no-cache\"", []), ("", []), (",,", []),
      // Misspelled, but meant.
      ("no-store;no-cache", [.noStore, .noCache]), ("x must-revalidate", .mustRevalidate),
      ("a=\"no-store", .noStore), ("public no-store", .noStore),
    ] as [(String, ResponseDirectives.Options)])
  func options(_ value: String, _ options: ResponseDirectives.Options) {
    #expect(response(value).options == options)
  }

  @Test func severalLinesAreOneList() {
    let directives = response("max-age=5", "no-cache=\"A, b\" , immutable", "no-cache=C", "private")
    #expect(directives.maxAge == 5)
    #expect(directives.options == [.immutable, .isPrivate])
    #expect(directives.unusableFields == ["a", "b", "c"])
    // A string without an end does not reach into the next line.
    #expect(response("a=\"", "max-age=5").maxAge == 5)
  }

  @Test func permissionsThatAreNoNumbersAreNone() {
    #expect(response("stale-while-revalidate=5, stale-if-error=6").staleWhileRevalidate == 5)
    #expect(response("stale-while-revalidate=5, stale-if-error=6").staleIfError == 6)
    #expect(response("stale-while-revalidate, stale-if-error=x").staleWhileRevalidate == 0)
    #expect(response("stale-while-revalidate, stale-if-error=x").staleIfError == 0)
    #expect(response("stale-if-error=9, stale-if-error=2").staleIfError == 2)
    #expect(response("max-age=1").staleIfError == nil)
  }

  private func request(_ value: String) -> RequestDirectives {
    RequestDirectives(HeaderFields(["cache-control": value]))
  }

  @Test func whatRequestsSay() {
    let all = request(
      "no-cache, NO-STORE, only-if-cached, max-age=1, min-fresh=\"2\", max-stale=3, stale-if-error=4")
    #expect(all.noCache && all.noStore && all.onlyIfCached)
    #expect(all.maxAge == 1 && all.minFresh == 2 && all.maxStale == 3 && all.staleIfError == 4)
    #expect(request("max-stale").maxStale == 1 << 31)
    // What is no number asks for the strictest.
    #expect(request("max-stale=x").maxStale == 0)
    #expect(request("max-age=x").maxAge == 0)
    #expect(request("min-fresh=x").minFresh == 1 << 31)
    #expect(request("max-age=5, max-age=3, max-age=9").maxAge == 3)
    #expect(request("").maxAge == nil)
    #expect(request("a no-cache").noCache && request("a no-store").noStore)
  }

  /// RFC 9111 §5.4.
  @Test func pragmaCountsWhereNothingElseIsSaid() {
    #expect(RequestDirectives(HeaderFields(["Pragma": "no-cache"])).noCache)
    #expect(!RequestDirectives(HeaderFields(["Pragma": "other"])).noCache)
    #expect(!RequestDirectives(HeaderFields(["Pragma": "no-cache", "Cache-Control": "max-age=1"])).noCache)
  }
}
