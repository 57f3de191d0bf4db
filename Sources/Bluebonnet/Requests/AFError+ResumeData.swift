// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// The data to go on with the download that failed, if it can be gone on with.
  public var downloadResumeData: Data? {
    (underlyingError as? URLError)?.errorUserInfo[NSURLSessionDownloadTaskResumeData] as? Data
  }
}
