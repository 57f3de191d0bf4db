// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetURLLoading

/// A link of a response's `Link` field to another resource (RFC 8288), such as the next page of a list. An addition of this package.
public struct LinkHeader: Sendable, Hashable {
  /// The URL that the link leads to, resolved against the response's. Of any scheme, and the server's choice: it may be that of
  /// another host.
  public let target: URL
  /// The relation types, such as `next`; those that are no URIs are in lower case. There may be none.
  public let relations: [String]
  /// The URL of the resource that the link is about, if the link names one with `anchor`; `nil`, which is usual, for the resource
  /// that was asked for.
  public let anchor: URL?
  /// The title for people: that of `title*`, decoded, or else of `title`.
  public let title: String?
  private let value: LinkValue
  /// Whether the link is about the resource that was asked for.
  let isAboutResponse: Bool

  /// The value of a parameter, without quotes and escapes; that of the first of its name. Empty for one without a value.
  ///
  /// - Parameter name: The name, in upper or lower case, such as `type`, `hreflang` or an extension. `title*` is not decoded here.
  public subscript(name: String) -> String? { value[name.asciiLowercased] }

  /// The names of all parameters, in lower case and in order.
  public var parameterNames: [String] { value.parameters.map(\.name) }

  /// Whether the link is of a relation type.
  ///
  /// - Parameter relation: The type, such as `next`, in upper or lower case.
  public func isRelated(_ relation: String) -> Bool { value.isRelated(to: relation) }

  /// - Parameter base: The URL of the response.
  init?(_ value: LinkValue, against base: String) {
    func resolved(_ reference: String) -> URL? {
      Location.resolve(reference, against: base, inheritsFragment: false).flatMap { URL(string: $0) }
    }
    guard let target = resolved(value.reference) else { return nil }
    if let name = value["anchor"] {
      guard let about = resolved(name) else { return nil }
      anchor = about
      isAboutResponse = about == resolved("")
    } else {
      anchor = nil
      isAboutResponse = true
    }
    (self.target, self.value) = (target, value)
    (relations, title) = (value.relations, value.title)
  }
}

extension HTTPURLResponse {
  /// The links of the `Link` fields, in order (RFC 8288). Read anew at each call.
  ///
  /// References that are no URLs are left out, and so is the rest of a field line from the first link on that does not follow the
  /// grammar. An addition of this package.
  public var links: [LinkHeader] {
    guard let base = url?.absoluteString else { return [] }
    return linkValues.compactMap { LinkHeader($0, against: base) }
  }

  /// The first link of a relation type that is about this resource, such as the next page; `nil` without one. Links with another
  /// `anchor` are about other resources, and are passed over. An addition of this package.
  ///
  /// - Parameter relation: The type, such as `next`, in upper or lower case.
  /// - Returns: The link.
  public func link(rel relation: String) -> LinkHeader? {
    guard let base = url?.absoluteString else { return nil }
    // URLs are the expensive part of a link: of the others, none is resolved.
    for value in linkValues where value.isRelated(to: relation) {
      if let link = LinkHeader(value, against: base), link.isAboutResponse { return link }
    }
    return nil
  }

  private var linkValues: [LinkValue] {
    var values: [LinkValue] = []
    var next = fields.index(of: "link")
    while let index = next {
      values += fields.withValue(at: index) { value in
        LinkValue.links(in: FieldValue(bytes: value.withUnsafeBufferPointer { Array($0) }))
      }
      next = fields.index(of: "link", from: index + 1)
    }
    return values
  }
}
