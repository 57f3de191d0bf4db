import BluebonnetFoundation
import BluebonnetURLLoading

/// A body and a `URLRequest` that know nothing of each other.
struct Upload: UploadConvertible, UserCodeCarrying {
  let request: any URLRequestConvertible
  let body: UploadRequest.Uploadable

  var carriesUserCode: Bool { !request.runsOnlyLibraryCode }

  func createUploadable() -> UploadRequest.Uploadable { body }

  func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
}
