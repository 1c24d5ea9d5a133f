import CBaseline
import Foundation
import Glibc
import Runnel
import RunnelMQTT

/// Measures a client of MQTT and buses that are joined over it, beside clients with libmosquitto. All use one
/// `mosquitto`. All threads and the broker run on one processor, so that the work of all counts.
///
/// Both sides speak MQTT 5, send small packets at once, and have the same number of unconfirmed messages.
func measureMQTT(_ report: inout Report) {
  let port = unusedPort()
  let folder = NSTemporaryDirectory() + UUID().uuidString
  let configuration = "\(folder)/mosquitto.conf"
  do {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try brokerSettings(port).write(toFile: configuration, atomically: false, encoding: .utf8)
    let broker = mqtt_start_broker(configuration)
    defer { mqtt_end_broker(broker) }
    for _ in 0..<1_000 where mqtt_can_connect(port) == 0 { usleep(10_000) }
    guard mqtt_can_connect(port) == 1 else { Main.fail("mosquitto does not start.") }
    measurePublishing(&report, port)
    measureBuses(&report, port)
  } catch {
    Main.fail("\(error)")
  }
}

private func brokerSettings(_ port: Int32) -> String {
  """
  listener \(port) 127.0.0.1
  allow_anonymous true
  user root
  persistence false
  set_tcp_nodelay true
  max_inflight_messages \(window)
  max_queued_messages 0
  connection_messages false
  log_type none

  """
}

private func unusedPort() -> Int32 {
  var port: Int32 = 0
  close(net_listen(&port))
  return port
}

private let window = 64

// MARK: - A client

private func measurePublishing(_ report: inout Report, _ port: Int32) {
  let count = 50_000
  let size = 64
  for qos in [MQTTQoS.atMostOnce, .atLeastOnce] {
    report.ratio(
      "publish with QoS \(qos.rawValue), 64 bytes", attempts: 5, alternates: true,
      beside: { baseline { mqtt_publish(port, Int32(qos.rawValue), Int32(size), 64, count) } },
      {
        onLoop { loop, finish in
          let publisher = try Publisher(port, qos, size: size, count: count, on: loop, finish)
          publisher.begin()
        }
      })
  }
}

/// Publishes messages with a client, at most `window` of them unconfirmed.
private final class Publisher {
  private let client: MQTTClient
  private let message: MQTTMessage
  private let count: Int
  private var left: Int
  private var unconfirmed = 0
  private let stopwatch = Stopwatch()
  private let finish: (Double) -> Void

  init(
    _ port: Int32, _ qos: MQTTQoS, size: Int, count: Int, on loop: EventLoop,
    _ finish: @escaping (Double) -> Void
  ) throws {
    client = try MQTTClient(
      "mqtt://127.0.0.1:\(port)", options: MQTTOptions { $0.inFlight = window }, on: loop)
    message = MQTTMessage("bench/publish", [UInt8](repeating: 0, count: size), qos: qos)
    self.count = count
    left = count
    self.finish = finish
  }

  func begin() {
    client.state.filter { $0 == .online }.take(1).observeNext { _ in
      self.stopwatch.begin()
      self.publish()
    }
  }

  private func publish() {
    while left > 0 && unconfirmed < window {
      left -= 1
      unconfirmed += 1
      var message = message
      // The confirmation of the last message says that the broker has all.
      if left == 0 { message.qos = .atLeastOnce }
      // Messages without a confirmation are written in their order.
      if message.qos == .atMostOnce && unconfirmed < window {
        send(message)
        continue
      }
      client.publish(message).observe(
        succeeded: { _ in
          self.unconfirmed = self.message.qos == .atMostOnce ? 0 : self.unconfirmed - 1
          if self.left > 0 { return self.publish() }
          if self.unconfirmed == 0 { self.end() }
        }, failed: { Main.fail("\($0)") })
    }
  }

  private func send(_ message: MQTTMessage) {
    do throws(MQTTError) {
      try client.send(message)
    } catch {
      Main.fail("\(error)")
    }
  }

  private func end() {
    let time = stopwatch.nanoseconds / Double(count)
    client.close()
    finish(time)
  }
}

// MARK: - Buses

private struct OrderCreated: TopicEvent {
  static let topic = "orders.created"
  let number: Int
  let title: String
  let price: Double
}

private func measureBuses(_ report: inout Report, _ port: Int32) {
  let count = 20_000
  let cases: [(String, Int32, JoinPattern<MQTTTransport>)] = [
    ("an event from bus to bus", 1, "orders.#"),
    ("an unacknowledged event from bus to bus", 0, .unacknowledged("orders.#")),
  ]
  for (name, qos, pattern) in cases {
    for (depth, suffix) in [(1, ", one at a time"), (64, "")] {
      // Safety: the closures run one after the other.
      nonisolated(unsafe) let pattern = pattern
      report.ratio(
        name + suffix, attempts: 5, alternates: true,
        beside: { baseline { mqtt_exchange(port, qos, Int32(depth), count) } },
        {
          onLoop { loop, finish in
            let exchange = try Exchange(port, pattern, depth, count: count, on: loop, finish)
            exchange.begin()
          }
        })
    }
  }
}

/// Sends events from one bus to another, at most `depth` of them not received.
private final class Exchange {
  private let buses = (EventBus(coder: .json), EventBus(coder: .json))
  private let links: (BusLink, BusLink)
  private let messages: MessageCount
  private let finish: (Double) -> Void

  init(
    _ port: Int32, _ pattern: JoinPattern<MQTTTransport>, _ depth: Int, count: Int,
    on loop: EventLoop, _ finish: @escaping (Double) -> Void
  ) throws {
    let url = "mqtt://127.0.0.1:\(port)"
    let options = MQTTOptions {
      $0.inFlight = window
      $0.receiveMaximum = UInt16(window)
    }
    links = (
      try buses.0.join(url, prefix: "bench", exporting: [pattern], options: options, on: loop),
      try buses.1.join(url, prefix: "bench", importing: [pattern], options: options, on: loop)
    )
    messages = MessageCount(depth, of: count)
    self.finish = finish
  }

  func begin() {
    buses.1.events(OrderCreated.self).observeNext { order in
      if let time = self.messages.receive(order.number) { self.end(time) } else { self.send() }
    }
    for link in [links.0, links.1] { link.state.observeNext { _ in self.beginIfOnline() } }
  }

  private func beginIfOnline() {
    guard !messages.hasBegun, links.0.state.value == .online, links.1.state.value == .online
    else { return }
    messages.begin()
    send()
  }

  private func send() {
    messages.fill { buses.0.publish(OrderCreated(number: $0, title: "a pound of tea", price: 3.5)) }
  }

  private func end(_ time: Double) {
    links.0.dispose()
    links.1.dispose()
    finish(time)
  }
}
