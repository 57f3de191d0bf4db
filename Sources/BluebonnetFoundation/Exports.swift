// SPDX-License-Identifier: MIT

// The one place that decides between Foundation and FoundationEssentials. Every module above imports this one.
#if Foundation
  @_exported import Dispatch
  @_exported import Foundation
#else
  @_exported import Dispatch
  @_exported import FoundationEssentials
#endif
