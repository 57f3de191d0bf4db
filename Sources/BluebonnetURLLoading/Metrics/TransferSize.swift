/// The key in a `URLError`'s user info under which a broken download keeps what it needs to go on.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
