@_exported import BluebonnetFoundation
// What `URLSessionConfiguration.webSocketCompression` is set to.
@_exported import struct BluebonnetWebSocket.WebSocketCompression
