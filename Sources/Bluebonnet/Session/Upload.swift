import BluebonnetFoundation
import BluebonnetURLLoading

/// A body and a `URLRequest` that know nothing of each other.
struct Upload: UploadConvertible, UserCodeCarrying {
  let request: any URLRequestConvertible
  let uploadable: any UploadableConvertible

  var carriesUserCode: Bool {
    !request.runsOnlyLibraryCode || !(uploadable is UploadRequest.Uploadable)
  }

  func createUploadable() throws -> UploadRequest.Uploadable { try uploadable.createUploadable() }

  func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
}
