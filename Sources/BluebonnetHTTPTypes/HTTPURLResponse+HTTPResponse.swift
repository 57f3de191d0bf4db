// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTP1
  import BluebonnetMessages
  import HTTPTypes

  extension HTTPURLResponse {
    /// A response with the same status and fields: their order and their number stay, and the bytes of their values. Nil if a name is
    /// longer than 65,535 bytes. The reason phrase goes.
    public convenience init?(httpResponse: HTTPResponse, url: URL) {
      var fields = FieldBlock()
      for field in httpResponse.headerFields {
        guard field.name.rawName.utf8.count <= Int(UInt16.max) else { return nil }
        fields.append(name: field.name.rawName, bytes: field.bytes)
      }
      self.init(url: url, statusCode: httpResponse.status.code, minorVersion: 1, fields: fields)
    }

    /// The same response: each field line by itself, in the order of arrival, with the bytes of its value. Nil if the status is not
    /// between 0 and 999, there are more than 65,535 fields, a name is no token, or a value has CR, LF or NUL in it: a response that was received has none of these.
    public var httpResponse: HTTPResponse? { try? convertedResponse() }

    func convertedResponse() throws(HTTPConversionError) -> HTTPResponse {
      guard (0...999).contains(statusCode) else { throw .invalidStatus }
      guard fields.count <= HTTPFields.largestCount else { throw .tooManyFields }
      var response = HTTPResponse(status: HTTPResponse.Status(code: statusCode))
      response.headerFields.reserveCapacity(fields.count)
      for index in fields.indices {
        let bytes = fields.withValue(at: index) { span in span.indices.map { span[$0] } }
        response.headerFields.append(try HTTPField(name: fields.name(at: index), bytes: bytes))
      }
      return response
    }
  }
#endif
