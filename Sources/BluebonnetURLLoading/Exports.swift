// SPDX-License-Identifier: MIT
@_exported import BluebonnetCache
@_exported import BluebonnetFoundation
@_exported import BluebonnetMessages
// What `URLSessionConfiguration.webSocketCompression` is set to.
@_exported import struct BluebonnetWebSocket.WebSocketCompression
// The phase of a load's failure, and the party at fault, in the words of all layers: users of this module see them as its own.
@_exported import enum BluebonnetSemantics.LoadingFault
@_exported import enum BluebonnetSemantics.LoadingPhase
