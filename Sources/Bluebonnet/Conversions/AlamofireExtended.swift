// SPDX-License-Identifier: MIT

/// Carries what this module adds to a type that is not its own, behind one short name: `af`.
public struct AlamofireExtension<ExtendedType> {
  /// The value or the type that `af` was asked of.
  public private(set) var type: ExtendedType

  /// Wraps a value or a type; `af` does it for you.
  ///
  /// - Parameter type: The extended type.
  public init(_ type: ExtendedType) {
    self.type = type
  }
}

/// A type to which the library adds members under `af`, so that they meet no others of the same name.
public protocol AlamofireExtended {
  /// The type to which members are added.
  associatedtype ExtendedType

  /// The members that are added to the type itself.
  static var af: AlamofireExtension<ExtendedType>.Type { get set }
  /// The members that are added to its values.
  var af: AlamofireExtension<ExtendedType> { get set }
}

extension AlamofireExtended {
  /// The members that are added to the type itself.
  public static var af: AlamofireExtension<Self>.Type {
    get { AlamofireExtension<Self>.self }
    // Settable, so that additions which mutate the extended value can be written.
    set {}
  }

  /// The members that are added to its values.
  public var af: AlamofireExtension<Self> {
    get { AlamofireExtension(self) }
    set {}
  }
}
