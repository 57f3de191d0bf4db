// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetFoundation
import BluebonnetURLLoading

extension URLRequest {
  /// The request's fields, in the order they are sent in.
  public var headers: HTTPHeaders {
    get { HTTPHeaders(headerFields) }
    set { headerFields = newValue.headerFields }
  }
}

extension HTTPURLResponse {
  /// The response's fields in the order they came in; values of one name are joined by a comma.
  public var headers: HTTPHeaders { HTTPHeaders(joinedFields) }
}

extension URLSessionConfiguration {
  /// The fields every request of the session carries unless it says otherwise.
  public var headers: HTTPHeaders {
    get { (httpAdditionalHeaders as? [String: String]).map(HTTPHeaders.init) ?? HTTPHeaders() }
    set { httpAdditionalHeaders = newValue.dictionary }
  }
}

extension HTTPHeaders {
  fileprivate init(_ fields: HeaderFields) {
    self.init(uniqueFields: fields.fields.map { HTTPHeader(name: $0.name, value: $0.value) })
  }

  fileprivate var headerFields: HeaderFields {
    var fields = HeaderFields()
    for header in self {
      fields[header.name] = header.value
    }
    return fields
  }
}
