// SPDX-License-Identifier: MIT

// One import is enough for users. Foundation has a `Timer`, too: the one of swift-metrics is `CoreMetrics.Timer`.
@_exported import Bluebonnet

#if Metrics
  @_exported import CoreMetrics
#endif
