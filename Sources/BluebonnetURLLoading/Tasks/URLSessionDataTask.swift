// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// Unchecked: see URLSessionTask.
/// A load with its body handed over in memory.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// Unchecked: see URLSessionTask.
/// A load that sends a body, and delivers the response like a data task.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
