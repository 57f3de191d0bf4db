/// Carries what this module adds to a type that is not its own, behind one short name: `af`.
public struct AlamofireExtension<ExtendedType> {
  /// The extended value.
  public private(set) var type: ExtendedType

  /// Extends a value.
  public init(_ type: ExtendedType) {
    self.type = type
  }
}

/// A type with an `af`.
public protocol AlamofireExtended {
  /// The type that is extended.
  associatedtype ExtendedType

  /// The additions to the type.
  static var af: AlamofireExtension<ExtendedType>.Type { get set }
  /// The additions to a value.
  var af: AlamofireExtension<ExtendedType> { get set }
}

extension AlamofireExtended {
  /// The additions to the type.
  public static var af: AlamofireExtension<Self>.Type {
    get { AlamofireExtension<Self>.self }
    // Settable, so that additions which mutate the extended value can be written.
    set {}
  }

  /// The additions to this value.
  public var af: AlamofireExtension<Self> {
    get { AlamofireExtension(self) }
    set {}
  }
}
