// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@Suite struct URLRequestTests {
  private let url = URL(string: "http://example.org/x")

  @Test func defaultsAreApples() throws {
    let request = URLRequest(url: try #require(url))
    #expect(request.httpMethod == "GET")
    #expect(request.timeoutInterval == 60)
    #expect(request.statedTimeoutInterval == nil)
    #expect(request.cachePolicy == .useProtocolCachePolicy)
    #expect(request.allHTTPHeaderFields == [:])
    #expect(request.httpShouldHandleCookies)
    #expect(request.allowsCellularAccess && request.allowsConstrainedNetworkAccess)
    #expect(request.httpBody == nil && request.httpBodyStream == nil)
    #expect(request.description == "http://example.org/x")
  }

  @Test func aNilMethodIsGET() throws {
    var request = URLRequest(url: try #require(url))
    request.httpMethod = "PURGE"
    #expect(request.httpMethod == "PURGE")
    request.httpMethod = nil
    #expect(request.httpMethod == "GET")
  }

  /// As in Foundation, which knows these six.
  @Test(arguments: [
    ("get", "GET"), ("Head", "HEAD"), ("post", "POST"), ("puT", "PUT"), ("delete", "DELETE"),
    ("Connect", "CONNECT"),
    ("patch", "patch"), ("options", "options"), ("gets", "gets"), ("", ""),
  ])
  func usualMethodsAreInUpperCase(_ stated: String, _ method: String) throws {
    var request = URLRequest(url: try #require(url))
    request.httpMethod = stated
    #expect(request.httpMethod == method)
    request.setRawMethod(stated)
    #expect(request.httpMethod == stated)
  }

  @Test func fieldsAreFoundInAnyCaseAndKeepTheirOrder() throws {
    var request = URLRequest(url: try #require(url))
    request.setValue("1", forHTTPHeaderField: "X-One")
    request.setValue("2", forHTTPHeaderField: "X-Two")
    request.setValue("3", forHTTPHeaderField: "x-one")
    request.addValue("4", forHTTPHeaderField: "X-TWO")
    request.addValue("5", forHTTPHeaderField: "X-Three")
    #expect(request.value(forHTTPHeaderField: "X-ONE") == "3")
    #expect(request.value(forHTTPHeaderField: "x-two") == "2,4")
    #expect(request.headerFields.fields.map(\.name) == ["x-one", "X-Two", "X-Three"])
    request.setValue(nil, forHTTPHeaderField: "x-TWO")
    #expect(request.allHTTPHeaderFields == ["x-one": "3", "X-Three": "5"])
    request.allHTTPHeaderFields = ["A": "1", "a": "2"]
    #expect(request.allHTTPHeaderFields == ["A": "1"])
    request.allHTTPHeaderFields = nil
    #expect(request.allHTTPHeaderFields == [:])
  }

  @Test func bodyAndStreamExcludeEachOther() throws {
    var request = URLRequest(url: try #require(url))
    request.httpBody = Data("a".utf8)
    request.httpBodyStream = InputStream(data: Data())
    #expect(request.httpBody == nil)
    request.httpBody = Data("a".utf8)
    #expect(request.httpBodyStream == nil)
  }

  @Test func aCopyIsIndependent() throws {
    var request = URLRequest(url: try #require(url))
    let copy = request
    request.httpMethod = "PUT"
    request.setValue("1", forHTTPHeaderField: "A")
    request.timeoutInterval = 5
    #expect(copy.httpMethod == "GET")
    #expect(copy.allHTTPHeaderFields == [:])
    #expect(copy.timeoutInterval == 60)
    #expect(request.statedTimeoutInterval == 5)
  }

  @Test func equalityCoversEveryMember() throws {
    let original = URLRequest(url: try #require(url))
    let changes: [(inout URLRequest) -> Void] = [
      { $0.url = nil }, { $0.httpMethod = "PUT" }, { $0.httpBody = Data() }, { $0.timeoutInterval = 1 },
      { $0.setValue("1", forHTTPHeaderField: "A") }, { $0.httpBodyStream = InputStream(data: Data()) },
      { $0.cachePolicy = .reloadIgnoringLocalCacheData }, { $0.mainDocumentURL = $0.url },
      { $0.networkServiceType = .video }, { $0.attribution = .user }, { $0.cookiePartitionIdentifier = "p" },
      { $0.allowsCellularAccess = false }, { $0.allowsExpensiveNetworkAccess = false },
      { $0.allowsConstrainedNetworkAccess = false }, { $0.allowsPersistentDNS = true },
      { $0.assumesHTTP3Capable = true }, { $0.requiresDNSSECValidation = true },
      { $0.httpShouldHandleCookies = false }, { $0.httpShouldUsePipelining = true },
    ]
    for (index, change) in changes.enumerated() {
      var changed = original
      change(&changed)
      #expect(changed != original, "change \(index)")
      var same = original
      change(&same)
      if index != 5 { #expect(changed == same, "change \(index)") }
      #expect(Set([changed, changed, original]).count == 2)
    }
  }

  @Test func orderOfFieldsIsNoDifference() throws {
    var left = URLRequest(url: try #require(url))
    var right = left
    left.setValue("1", forHTTPHeaderField: "A")
    left.setValue("2", forHTTPHeaderField: "B")
    right.setValue("2", forHTTPHeaderField: "b")
    right.setValue("1", forHTTPHeaderField: "a")
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test func propertiesOfProtocolsTravelAlong() throws {
    var request = URLRequest(url: try #require(url))
    URLProtocol.setProperty(1, forKey: "k", in: &request)
    let copy = request
    URLProtocol.removeProperty(forKey: "k", in: &request)
    #expect(URLProtocol.property(forKey: "k", in: copy) as? Int == 1)
    #expect(URLProtocol.property(forKey: "k", in: request) == nil)
    #expect(copy == request)
  }
}
