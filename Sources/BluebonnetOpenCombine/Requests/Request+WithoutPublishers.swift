// SPDX-License-Identifier: MIT
#if !OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  // Without the trait there is nothing in this module. The compiler says so to callers that forgot it.
  /// Stands where the package's trait `OpenCombine` would put a publisher.
  public enum TheTraitOpenCombineIsOff {}

  @available(
    *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
  )
  extension Request {
    /// Needs the package's trait `OpenCombine`.
    public func publishResponse(using serializer: Any, on queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishStream(using serializer: Any, on queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishUnserialized(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishURL(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishData(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishString(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    public func publishDecodable<T>(type: T.Type = T.self, queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }
  }
#endif
