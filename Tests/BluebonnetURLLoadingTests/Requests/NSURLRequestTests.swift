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

    @Test func theClassShowsWhatTheRequestHas() throws {
      let url = try #require(URL(string: "http://example.org/a"))
      let plain = NSURLRequest(url: url)
      #expect(plain.url == url && plain.httpMethod == "GET" && plain.httpBody == nil)
      #expect(plain.timeoutInterval == URLRequest(url: url).timeoutInterval)
      #expect(plain.cachePolicy == NSURLRequest.CachePolicy.useProtocolCachePolicy)
      #expect(plain.isEqual(URLRequest(url: url) as NSURLRequest))
      #expect(plain.hash == (URLRequest(url: url) as NSURLRequest).hash)

      let changed = NSMutableURLRequest(url: url)
      changed.url = URL(string: "http://example.org/b")
      changed.httpMethod = "POST"
      changed.httpBody = Data("x".utf8)
      changed.timeoutInterval = 7
      changed.cachePolicy = .reloadIgnoringCacheData
      changed.allHTTPHeaderFields = ["A": "0"]
      changed.setValue("1", forHTTPHeaderField: "a")
      changed.addValue("2", forHTTPHeaderField: "A")
      changed.setValue("3", forHTTPHeaderField: "B")
      changed.setValue(nil, forHTTPHeaderField: "b")
      let frozen = try #require(changed.copy() as? NSURLRequest)
      changed.httpMethod = "PUT"
      #expect(!(frozen is NSMutableURLRequest) && !frozen.isEqual(changed))
      let again = try #require(frozen.mutableCopy() as? NSMutableURLRequest)
      for request in [frozen as URLRequest, again as URLRequest] {
        #expect(request.url?.path == "/b" && request.httpMethod == "POST")
        #expect(request.httpBody == Data("x".utf8) && request.timeoutInterval == 7)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(request.allHTTPHeaderFields.map { Array($0.values) } == ["1,2"])
      }
      #expect(frozen.value(forHTTPHeaderField: "A") == "1,2")
      #expect(frozen.value(forHTTPHeaderField: "B") == nil && frozen.allHTTPHeaderFields?.count == 1)
      #expect(frozen.timeoutInterval == 7 && frozen.httpBody == Data("x".utf8))
    }

    @Test func whatIsAttachedCanBeTakenOff() throws {
      let request = NSMutableURLRequest(url: try #require(URL(string: "http://example.org/")))
      URLProtocol.setProperty(1, forKey: "one", in: request)
      URLProtocol.setProperty(2, forKey: "two", in: request)
      let before = request as URLRequest
      URLProtocol.removeProperty(forKey: "one", in: request)
      #expect(URLProtocol.property(forKey: "one", in: request as URLRequest) == nil)
      #expect(URLProtocol.property(forKey: "two", in: request as URLRequest) as? Int == 2)
      #expect(URLProtocol.property(forKey: "one", in: before) as? Int == 1)
      #expect(before == request as URLRequest)
    }
  }
#endif
