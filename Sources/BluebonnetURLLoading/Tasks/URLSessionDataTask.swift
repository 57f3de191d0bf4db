import BluebonnetFoundation

/// A load whose body is handed over in memory.
// Unchecked: see URLSessionTask.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A load that sends a body.
// Unchecked: see URLSessionTask.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
