// SPDX-License-Identifier: MIT

// One import is enough for users.
@_exported import Bluebonnet

#if HTTPTypes
  @_exported import HTTPTypes
#endif
