import RunnelStreams

/// One connection of a client, from its opening on.
final class BrokerConnection {
  let channel: PacketChannel
  var decoder: PacketDecoder
  var keepAlive: KeepAlive?
  /// False after a packet could not be written. The broker may have sent its reason before.
  var canWrite = true
  let begin: Duration

  init(_ channel: PacketChannel, _ decoder: PacketDecoder, at begin: Duration) {
    self.channel = channel
    self.decoder = decoder
    self.begin = begin
  }

  func close(isReset: Bool = false) {
    keepAlive?.stop()
    if isReset { channel.reset() } else { channel.close() }
  }
}
