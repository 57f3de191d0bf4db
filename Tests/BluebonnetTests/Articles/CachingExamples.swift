// SPDX-License-Identifier: MIT

// The code of the article *Caching*, word for word; `CachingExamplesTests` runs it.

import Bluebonnet
import BluebonnetFoundation

enum CachingExamples {
  static func twice(_ url: String) async -> Bool {
    let first = await AF.request(url).validate().serializingData().response
    let second = await AF.request(url).validate().serializingData().response
    let isFromCache = second.metrics?.transactionMetrics.last?.resourceFetchType == .localCache
    return first.value == second.value && isFromCache
  }

  static func revalidating(_ url: String) async throws -> Data {
    var request = try URLRequest(url: url, method: .get)
    request.cachePolicy = .reloadRevalidatingCacheData
    let current = try await AF.request(request).validate().serializingData().value
    return current
  }

  static func offline(_ url: String) async -> Data? {
    let offline: HTTPHeaders = ["Cache-Control": "max-stale=86400, only-if-cached"]
    let kept = await AF.request(url, headers: offline).serializingData().response
    return kept.response?.statusCode == 504 ? nil : kept.value
  }

  static func keepingForAnHour(_ url: String) async throws -> Data {
    let anHour = ResponseCacher.modify { _, cached in
      guard let old = cached.response as? HTTPURLResponse, old.statusCode == 200, let url = old.url
      else { return cached }
      var headers = old.headers
      headers["Cache-Control"] = "max-age=3600"
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: headers.dictionary)
      return response.map { CachedURLResponse(response: $0, data: cached.data) }
    }
    let reply = try await AF.request(url).cacheResponse(using: anHour).serializingData().value
    return reply
  }

  static func collapsing() -> Session {
    let configuration = URLSessionConfiguration.af.default
    configuration.collapsesRequests = true
    let session = Session(configuration: configuration)
    return session
  }
}
