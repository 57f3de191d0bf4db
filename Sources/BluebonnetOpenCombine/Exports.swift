// SPDX-License-Identifier: MIT

// One import is enough for users: a file that said `import Combine` beside `import Alamofire` says this one instead.
@_exported import Bluebonnet

#if OpenCombine
  @_exported import OpenCombine
  // Combine's queues are schedulers.
  @_exported import OpenCombineDispatch
#endif
