// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  extension DownloadRequest {
    /// Adds a handler of the file as a tree of `Any`.
    ///
    /// - Parameters:
    ///   - queue:               Where `completionHandler` is called; the main queue by default.
    ///   - dataPreprocessor:    Sees the body first.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    ///   - options:             How to read.
    ///   - completionHandler:   Takes the response.
    /// - Returns: The request.
    @available(*, deprecated, message: "Decode a type of your own with responseDecodable instead.")
    @preconcurrency
    @discardableResult
    public func responseJSON(
      queue: DispatchQueue = .main,
      dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
      options: JSONSerialization.ReadingOptions = .allowFragments,
      completionHandler: @escaping @Sendable (AFDownloadResponse<Any>) -> Void
    ) -> Self {
      response(
        queue: queue,
        responseSerializer: JSONResponseSerializer(
          dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods, options: options),
        completionHandler: { response in completionHandler(response.map { $0 as Any }) })
    }
  }
#endif
