// SPDX-License-Identifier: MIT
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics

// The stages that a message of a load passes: those that may have something to do with it.

extension RequestStage.Set {
  /// Those of a load's prepared request.
  static func all(for load: Load) -> Self {
    var stages = behindCache(for: load)
    // Classes answer with responses, and know nothing of messages.
    if let protocols = load.engine.protocols, load.state.webSocket == nil, protocols.areAsked {
      stages.formUnion(.classes)
    }
    if case .some = load.prepared.local { stages.formUnion(.local) }
    if case .some = load.prepared.answer { stages.formUnion(.memory) }
    if case .some = load.prepared.exchange, load.engine.cache != nil || wantsStored(load) {
      stages.formUnion(.cache)
    }
    return stages
  }

  /// Nothing else than a stored response will do.
  private static func wantsStored(_ load: Load) -> Bool {
    load.state.request.cachePolicy == .returnCacheDataDontLoad
      || load.engine.settings.requestCachePolicy == .returnCacheDataDontLoad
  }

  /// Those of a request that the cache has sent on.
  static func behindCache(for load: Load) -> Self {
    // Looked at where it lies: it is large.
    guard case .some = load.prepared.exchange else { return .none }
    var stages = mayProveItself(load) ? Self.origin : .none
    if load.engine.requests != nil { stages.formUnion(.turn) }
    if load.goesToProxy { stages.formUnion(.proxy) }
    return stages
  }

  /// Whether there are credentials for the origin, or may be when the stages before have been passed, which may take a while.
  private static func mayProveItself(_ load: Load) -> Bool {
    load.hasAuthorization || load.mayKnowCredentials || load.engine.cache != nil
      || load.engine.requests != nil || load.engine.protocols != nil
  }
}

extension ResponseStage.Set {
  /// Those of a server's response.
  ///
  /// - Parameter asksCache: Whether the cache has seen the request.
  static func all(for load: Load, _ response: HTTPURLResponse, asksCache: Bool) -> Self {
    var stages = Self.none
    if load.engine.storageQueue != nil || load.state.request.httpMethod != "GET"
      || response.fields.contains(.setCookie)
    {
      stages.formUnion(.storages)
    }
    if asksCache { stages.formUnion(.cache) }
    let (status, hasAuthorization) = (response.statusCode, load.hasAuthorization)
    if hasAuthorization || status == 407 { stages.formUnion(.proxy) }
    if hasAuthorization || status == 401 { stages.formUnion(.origin) }
    if status == 417 { stages.formUnion(.expectation) }
    if RedirectPolicy.isRedirect(status) { stages.formUnion(.redirect) }
    return stages
  }
}
