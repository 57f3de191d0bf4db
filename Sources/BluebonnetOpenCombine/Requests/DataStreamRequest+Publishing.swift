// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  extension DataStreamRequest {
    /// Makes a publisher of what a serializer makes of each part. Parts are cut where the network cut them.
    ///
    /// - Parameters:
    ///   - serializer: Makes something of each part.
    ///   - queue:      Where the parts are published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishStream<Serializer: DataStreamSerializer>(
      using serializer: Serializer, on queue: DispatchQueue = .main
    ) -> DataStreamPublisher<Serializer.SerializedObject> {
      DataStreamPublisher(self, queue: queue, serializer: serializer)
    }

    /// Makes a publisher of the parts as they arrive.
    ///
    /// - Parameter queue: Where the parts are published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishData(queue: DispatchQueue = .main) -> DataStreamPublisher<Data> {
      publishStream(using: PassthroughStreamSerializer(), on: queue)
    }

    /// Makes a publisher of the parts read as UTF-8. A character that the network cut in two becomes two replacement characters.
    ///
    /// - Parameter queue: Where the parts are published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishString(queue: DispatchQueue = .main) -> DataStreamPublisher<String> {
      publishStream(using: StringStreamSerializer(), on: queue)
    }

    /// Makes a publisher of values, one decoded from each part.
    ///
    /// - Parameters:
    ///   - type:         What to decode.
    ///   - queue:        Where the values are published; the main queue by default.
    ///   - decoder:      Decodes each part; `JSONDecoder()` by default.
    ///   - preprocessor: Changes each part before it is decoded; by default none is changed.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishDecodable<T: Decodable & Sendable>(
      type: T.Type = T.self, queue: DispatchQueue = .main, decoder: any DataDecoder = JSONDecoder(),
      preprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> DataStreamPublisher<T> {
      publishStream(
        using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor), on: queue)
    }
  }
#endif
