@_exported import BluebonnetCache
@_exported import BluebonnetFoundation
@_exported import BluebonnetMessages
// What `URLSessionConfiguration.webSocketCompression` is set to.
@_exported import struct BluebonnetWebSocket.WebSocketCompression
