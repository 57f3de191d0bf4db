// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  extension DataRequest {
    /// Adds a handler of the body as a property list: a tree of `Any`. Of version 4's API.
    ///
    /// - Parameters:
    ///   - queue:               Where `completionHandler` is called; the main queue by default.
    ///   - dataPreprocessor:    Sees the body first.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    ///   - completionHandler:   Takes the response.
    /// - Returns: The request.
    @preconcurrency
    @discardableResult
    public func responsePropertyList(
      queue: DispatchQueue = .main,
      dataPreprocessor: any DataPreprocessor = PropertyListResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = PropertyListResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = PropertyListResponseSerializer.defaultEmptyRequestMethods,
      completionHandler: @escaping @Sendable (AFDataResponse<Any>) -> Void
    ) -> Self {
      response(
        queue: queue,
        responseSerializer: PropertyListResponseSerializer(
          dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        completionHandler: { response in completionHandler(response.map { $0 as Any }) })
    }
  }
#endif
