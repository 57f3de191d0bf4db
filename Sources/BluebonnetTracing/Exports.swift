// SPDX-License-Identifier: MIT

// One import is enough for users.
@_exported import Bluebonnet

#if Tracing
  @_exported import Tracing
#endif
