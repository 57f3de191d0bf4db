// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics

/// Answers the plain requests of one session from its cache's memory, on any thread: a response that is fresh takes no more than being
/// found. All others, and all that the rules have to judge, go the long way (`CacheExchange`).
struct PlainRequests: Sendable {
  private let storage: ResponseStorage
  private let credentials: URLCredentialStorage?
  /// Plain requests have no fields of their own.
  private let fields: HeaderFields
  /// By http and by https. What an evaluator has let in is left to the rules.
  private let partition: CachePartition
  private let securePartition: CachePartition

  /// Nil for a session that has no plain requests, because of what it was asked for, or because its cache is the user's code.
  init?(_ settings: URLSessionConfiguration.Settings, _ builder: RequestBuilder, _ session: SessionCache?) {
    guard let session, !session.isUsers, !settings.hasUserStorages, builder.arePlain, builder.common.arePlain,
      settings.requestCachePolicy == .useProtocolCachePolicy, settings.responseBodyLimitInMemory == nil
    else { return nil }
    storage = session.cache.storage
    credentials = settings.urlCredentialStorage
    fields = builder.common
    partition = session.partition(isSecure: false, hasOwnDelegate: true)
    securePartition = session.partition(isSecure: true, hasOwnDelegate: true)
  }

  /// Nil if the request has to go the long way.
  ///
  /// - Parameter now: The present, in seconds since 1970; asked where there may be an answer.
  func answer(to request: URLRequest, now: @autoclosure () -> Double) -> InMemoryResponseStore.PlainAnswer? {
    guard let (url, key) = address(of: request) else { return nil }
    return storage.memory.plainAnswer(
      to: url, key, fields: fields, partition: partition(to: key), now: now())
  }

  /// The address of a plain request, and the key under which something is kept for it if it is written as keys are.
  private func address(of request: URLRequest) -> (url: URL, key: StoredResponse.Key)? {
    guard request.isPlain, let url = request.url, url.baseURL == nil else { return nil }
    // Identities for servers are left to the long way.
    if credentials?.holdsIdentities == true { return nil }
    return (url, StoredResponse.Key(method: "GET", target: url.absoluteString))
  }

  private func partition(to key: StoredResponse.Key) -> CachePartition {
    key.target.hasPrefix("https:") ? securePartition : partition
  }

  /// A small and fresh response on disk, if there is none in memory. Waits for the disk: to ask from a task, where the long way
  /// would wake three threads, and wait for the same.
  func answerFromDisk(to request: URLRequest, now: @autoclosure () -> Double) -> InMemoryResponseStore
    .PlainAnswer?
  {
    guard storage.disk != nil, let (url, key) = address(of: request), key.isOfHTTP,
      !storage.memory.contains(key)
    else { return nil }
    guard let found = storage.smallOnDisk(key), let data = found.smallBody else { return nil }
    let (response, moment) = (found.response, now())
    let head = StoredHead(response)
    guard head.plainSpan.contains(moment), head.selection.answers(fields, partition: partition(to: key))
    else {
      return nil
    }
    let served = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: response.minorVersion,
      fields: head.plainlyServed(head.plainAge(at: moment)))
    return .init(response: served, data: data)
  }
}

extension URLRequest {
  /// A GET that says nothing but its address.
  fileprivate var isPlain: Bool {
    storage.fields.isEmpty && storage.method == "GET" && storage.body == nil && storage.bodyStream == nil
      && storage.rules.cachePolicy == .useProtocolCachePolicy && storage.target == nil
      && storage.rawOptions == nil
      && !storage.hasUnsupportedOption
  }
}
