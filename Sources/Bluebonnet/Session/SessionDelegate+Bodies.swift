// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

extension SessionDelegate: BodyKeeping {
  package func keepsBody(of task: URLSessionTask) -> Bool { request(for: task)?.collectsBody ?? false }
}
