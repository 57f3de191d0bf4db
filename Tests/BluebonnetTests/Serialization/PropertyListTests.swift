// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetTestNetwork
  import BluebonnetFoundation
  import BluebonnetOrigin
  import BluebonnetURLLoading
  import Testing

  @testable import Bluebonnet

  @Suite struct PropertyListTests {
    private static let parameters: Parameters = [
      "name": "a", "count": 2, "list": [1.5, true] as [any Any & Sendable],
    ]

    @Test(arguments: [PropertyListEncoding.default, .xml, .binary])
    func parametersBecomeABody(encoding: PropertyListEncoding) throws {
      let request = try encoding.encode(
        URLRequest(url: "http://host.test/", method: .post), with: Self.parameters)
      #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
      var format = PropertyListSerialization.PropertyListFormat.openStep
      let list = try PropertyListSerialization.propertyList(
        from: try #require(request.httpBody), options: [], format: &format)
      #expect(format == encoding.format)
      let dictionary = try #require(list as? [String: Any])
      #expect(dictionary["name"] as? String == "a" && dictionary["count"] as? Int == 2)
    }

    @Test func whatIsThereStays() throws {
      let bare = try PropertyListEncoding.xml.encode(
        URLRequest(url: "http://host.test/", method: .post), with: nil)
      #expect(bare.httpBody == nil && bare.value(forHTTPHeaderField: "Content-Type") == nil)
      var typed = try URLRequest(url: "http://host.test/", method: .post)
      typed.setValue("application/vnd.a", forHTTPHeaderField: "Content-Type")
      let encoded = try PropertyListEncoding.xml.encode(typed, with: Self.parameters)
      #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.a")
    }

    @Test func whatNoListCanHold() throws {
      let request = try URLRequest(url: "http://host.test/", method: .post)
      let error = #expect(throws: AFError.self) {
        try PropertyListEncoding.xml.encode(request, with: ["a": NSNull()])
      }
      guard case .parameterEncodingFailed(.customEncodingFailed(let cause))? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(cause is PropertyListEncoding.Error)
      #expect(error?.localizedDescription.contains("A property list is made of dictionaries") == true)
    }

    @Test func bodies() throws {
      for encoding in [PropertyListEncoding.xml, .binary] {
        let body = try encoding.encode(
          URLRequest(url: "http://host.test/", method: .post), with: Self.parameters
        )
        .httpBody
        let object = try Given(data: body).serialize(with: PropertyListResponseSerializer())
        let dictionary = try #require(object as? [String: Any])
        #expect(dictionary["name"] as? String == "a")
        #expect(dictionary["count"] as? Int == 2)
        let list = try #require(dictionary["list"] as? [Any])
        #expect(list.count == 2 && list[0] as? Double == 1.5 && list[1] as? Bool == true)
      }
      #expect(try Given(status: 204).serialize(with: PropertyListResponseSerializer()) is NSNull)
    }

    @Test func whatIsNoList() {
      let error = #expect(throws: AFError.self) {
        try Given(data: Data("<plist".utf8)).serialize(with: PropertyListResponseSerializer())
      }
      guard case .responseSerializationFailed(.customSerializationFailed)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// There and back, by both kinds of requests; then cancelled.
    @Test func onTheWire() async throws {
      let origin = Origin.inMemory()
      origin.handle("/echo") { request in .response(body: request.body) }
      let session = Session(configuration: .inMemory)
      let name = await withCheckedContinuation { continuation in
        session.request(
          origin.baseURL + "/echo", method: .post, parameters: Self.parameters,
          encoding: PropertyListEncoding.xml
        ).responsePropertyList(queue: .global()) { response in
          continuation.resume(returning: (response.value as? [String: Any])?["name"] as? String)
        }
      }
      #expect(name == "a")
      let count = await withCheckedContinuation { continuation in
        session.download(
          origin.baseURL + "/echo", method: .post, parameters: Self.parameters,
          encoding: PropertyListEncoding.binary
        ).responsePropertyList(queue: .global()) { response in
          continuation.resume(returning: (response.value as? [String: Any])?["count"] as? Int)
        }
      }
      #expect(count == 2)
      origin.script("/slow", .silence)
      let isCancelled = await withCheckedContinuation { continuation in
        let request = session.request(origin.baseURL + "/slow")
        request.responsePropertyList(queue: .global()) { response in
          continuation.resume(returning: response.error?.isExplicitlyCancelledError)
        }
        request.cancel()
      }
      #expect(isCancelled == true)
    }
  }
#endif
