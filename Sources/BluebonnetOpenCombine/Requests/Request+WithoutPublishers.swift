#if !OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  // Without the trait there is nothing in this module. The compiler says so to callers that forgot it.
  /// Stands where the package's trait `OpenCombine` would put a publisher.
  public enum TheTraitOpenCombineIsOff {}

  extension Request {
    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishResponse(using serializer: Any, on queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishStream(using serializer: Any, on queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishUnserialized(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishURL(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishData(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishString(queue: DispatchQueue = .main) -> TheTraitOpenCombineIsOff {
      fatalError("unavailable")
    }

    /// Needs the package's trait `OpenCombine`.
    @available(
      *, unavailable, message: "enable the trait \"OpenCombine\" of the package bluebonnet to have publishers"
    )
    public func publishDecodable<T>(type: T.Type = T.self, queue: DispatchQueue = .main)
      -> TheTraitOpenCombineIsOff
    {
      fatalError("unavailable")
    }
  }
#endif
