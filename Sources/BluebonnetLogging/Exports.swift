// SPDX-License-Identifier: MIT

// One import is enough for users.
@_exported import Bluebonnet

#if Logging
  @_exported import Logging
#endif
