// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetURLLoading
  import Testing

  @Suite struct NSURLRequestTests {
    @Test func aRequestGoesThroughItsClassAndBack() throws {
      var request = URLRequest(url: try #require(URL(string: "http://example.org/")))
      request.setValue("1", forHTTPHeaderField: "A")
      let copy = try #require((request as NSURLRequest).mutableCopy() as? NSMutableURLRequest)
      URLProtocol.setProperty(true, forKey: "seen", in: copy)
      copy.httpMethod = "PUT"
      let changed = copy as URLRequest
      #expect(changed.httpMethod == "PUT")
      #expect(changed.value(forHTTPHeaderField: "a") == "1")
      #expect(URLProtocol.property(forKey: "seen", in: changed) as? Bool == true)
      #expect(request.httpMethod == "GET")
      #expect((request as NSURLRequest).isEqual(request as NSURLRequest))
    }
  }
#endif
