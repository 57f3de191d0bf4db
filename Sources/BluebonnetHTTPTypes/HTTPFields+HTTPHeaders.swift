// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import HTTPTypes

  extension HTTPField {
    /// The field of this name and value; nil if the name is no token, or the value has a control character but HTAB.
    /// Whitespace around the value is left out.
    public init?(_ header: HTTPHeader) {
      do { try self.init(sending: header.name, header.value) } catch { return nil }
    }
  }

  extension HTTPHeader {
    /// The field of this name and value, which is read as UTF-8 or else as ISO 8859-1.
    public init(_ field: HTTPField) {
      self.init(name: field.name.rawName, value: field.text)
    }
  }

  extension HTTPFields {
    /// These fields in their order; nil if one of them cannot be sent, or if there are more than 65,535.
    public init?(_ headers: HTTPHeaders) {
      guard headers.count <= Self.largestCount else { return nil }
      self.init()
      reserveCapacity(headers.count)
      for header in headers {
        guard let field = HTTPField(header) else { return nil }
        append(field)
      }
    }
  }

  extension HTTPHeaders {
    /// These fields in the order in which their names come first; values of one name are joined by a comma, those of `Cookie` by a
    /// semicolon. Lines of `Set-Cookie` cannot be taken apart again: keep the `HTTPFields` for them.
    public init(_ fields: HTTPFields) {
      var headers: [HTTPHeader] = []
      var places: [HTTPField.Name: Int] = [:]
      for field in fields {
        if let place = places[field.name] {
          let first = headers[place]
          headers[place] = HTTPHeader(
            name: first.name, value: first.value + field.name.separator + field.text)
        } else {
          places[field.name] = headers.count
          headers.append(HTTPHeader(field))
        }
      }
      self.init(headers)
    }

    /// The value of a name; setting nil removes the field.
    public subscript(name: HTTPField.Name) -> String? {
      get { self[name.rawName] }
      set { self[name.rawName] = newValue }
    }
  }
#endif
