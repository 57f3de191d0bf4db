// SPDX-License-Identifier: MIT

// One import is enough for users.
@_exported import Bluebonnet

#if ServiceLifecycle
  @_exported import ServiceLifecycle
#endif
