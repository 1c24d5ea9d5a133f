import RunnelBus
import RunnelStreams
import Testing

@testable import RunnelMQTT

/// The end of the retained messages of a subscription, at a broker in memory.
@Suite struct MessageFenceTests {
  private let broker = ScriptedBroker()
  private let log = ReceiverLog()

  /// Connects a transport with a subscription to `a.#`, until the result is disposed.
  private func connect() throws -> Disposable {
    let options = MQTTOptions {
      $0.backoff = Backoff(jitter: 0)
      $0.clientID = "test"
    }
    let transport = try MQTTTransport("mqtt://broker", options: options, on: broker.network)
    let end = Disposable()
    end.add(transport.subscribe(to: [TransportPattern("a.#", isAcknowledged: true)], log.receiver))
    end.add(transport.connect())
    broker.settle()
    return end
  }

  /// The topic and the payload of the fence that was sent last on this connection.
  private var fence: Packet.Publish? {
    broker.peer.packets.reversed().lazy.compactMap { packet in
      if case .publish(let packet) = packet, packet.topic.hasPrefix("runnel//fence/") {
        packet
      } else {
        nil
      }
    }.first
  }

  /// Sends a fence back to the client.
  private func returnFence() throws {
    let fence = try #require(fence)
    broker.peer.publish(
      fence.topic, String(decoding: fence.payload, as: UTF8.self), .atLeastOnce, id: 9,
      identifiers: Array(broker.identifiers(fence.topic).suffix(1)))
    broker.settle()
  }

  private func sendRetained(_ text: String, id: UInt16) {
    broker.peer.publish(
      "a/b", text, .atLeastOnce, id: id, isRetained: true,
      identifiers: Array(broker.identifiers("a/#").suffix(1)))
    broker.settle()
  }

  @Test("A consumer that is behind for long is not taken for a broker that drops fences")
  func waitsForConsumer() throws {
    let end = try connect()
    #expect(fence != nil && log.confirmations == 0)
    log.receiver.pause()
    sendRetained("old", id: 1)
    broker.advance(.seconds(60))
    #expect(log.confirmations == 0 && log.texts == [])
    try returnFence()
    log.receiver.resume()
    broker.settle()
    #expect(log.confirmations == 1 && log.texts == ["old stored"])
    sendRetained("new", id: 2)
    #expect(log.texts == ["old stored", "new"])
    end.dispose()
  }

  @Test("A broker that drops fences is found out once for each connection")
  func isTriedOnEachConnection() throws {
    let end = try connect()
    broker.advance(.seconds(9))
    #expect(log.confirmations == 0)
    broker.advance(.seconds(2))
    #expect(log.confirmations == 1)
    sendRetained("one", id: 1)
    #expect(log.texts == ["one stored"])
    broker.crash()
    broker.advance(.seconds(2))
    #expect(broker.peers.count == 2 && fence != nil && log.confirmations == 1)
    try returnFence()
    #expect(log.confirmations == 2)
    sendRetained("two", id: 2)
    #expect(log.texts == ["one stored", "two"])
    end.dispose()
  }
}

/// A receiver, and the calls that it got.
private final class ReceiverLog {
  private(set) var confirmations = 0
  private(set) var texts: [String] = []
  private(set) lazy var receiver = TransportReceiver(
    confirmed: { [weak self] in self?.confirmations += 1 },
    message: { [weak self] message in
      let text = String(decoding: message.payload, as: UTF8.self)
      self?.texts.append(text + (message.isStored ? " stored" : ""))
    })
}
