import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// A program of a test: a bus on the loop of the test, and its links to the broker.
struct BusPeer: Sendable {
  struct Parts {
    let bus: EventBus
    var links: [BusLink] = []
    var relay: BrokerRelay?
  }

  let parts: Confined<Parts>
  let loop: EventLoop
  /// The payloads that observers of `#` have received, as text.
  let received = EventLog<String>()
  let states = EventLog<LinkState>()

  init(on loop: EventLoop) {
    self.loop = loop
    let received = received
    parts = loop.wait {
      let bus = EventBus(coder: .json)
      do {
        try bus.messages(on: "#").observeNext { message in
          received.add((try? message.bytes).map { String(decoding: $0, as: UTF8.self) } ?? "?")
        }
      } catch {
        Issue.record("\(error)")
      }
      return Confined(Parts(bus: bus))
    }
  }

  /// Joins the bus. `patterns` are exported and imported.
  func join(
    _ broker: PrivateBroker, prefix: String = "shop", _ patterns: JoinPattern<MQTTTransport>...,
    isCuttable: Bool = false,
    _ change: @escaping @Sendable (inout MQTTOptions) -> Void = { _ in }
  ) { join(port: broker.port, prefix: prefix, patterns, isCuttable: isCuttable, change) }

  /// Joins the bus over a broker at a port of this machine.
  func join(
    port: UInt16, prefix: String = "shop", _ patterns: [JoinPattern<MQTTTransport>],
    isCuttable: Bool = false,
    _ change: @escaping @Sendable (inout MQTTOptions) -> Void = { _ in }
  ) {
    var way = port
    if isCuttable {
      way = loop.wait { [parts, loop] in
        do {
          let relay = try BrokerRelay(to: port, on: loop)
          parts.value.relay = relay
          return relay.port
        } catch {
          Issue.record("\(error)")
          return port
        }
      }
    }
    join(url: "mqtt://127.0.0.1:\(way)", prefix: prefix, patterns, change)
  }

  /// Joins the bus over a broker with a URL.
  func join(
    url: String, prefix: String = "shop", _ patterns: [JoinPattern<MQTTTransport>],
    _ change: @escaping @Sendable (inout MQTTOptions) -> Void = { _ in }
  ) {
    let pairs = Confined(patterns)
    loop.wait { [parts, loop, states] in
      let options = MQTTOptions {
        $0.backoff = Backoff(initial: .milliseconds(20), maximum: .milliseconds(100))
        change(&$0)
      }
      do {
        let link = try parts.value.bus.join(
          url, prefix: prefix, exporting: pairs.value, importing: pairs.value, options: options,
          on: loop)
        parts.value.links.append(link)
        link.state.observeNext { states.add($0) }
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  func waitUntilOnline() { wait { $0.state.value == .online } }

  /// Runs a closure with the bus, on the loop.
  func use(_ body: @escaping @Sendable (EventBus) throws -> Void) {
    loop.wait { [parts] in
      do {
        try body(parts.value.bus)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  /// The first link, whose properties belong to the loop.
  func withLink<Output: Sendable>(_ body: @escaping @Sendable (BusLink) -> Output) -> Output {
    loop.wait { [parts] in body(parts.value.links[0]) }
  }

  /// Waits until a condition holds for all links.
  func wait(until holds: @escaping @Sendable (BusLink) -> Bool) {
    let done = EventLog<Void>()
    @Sendable func check() {
      if parts.value.links.allSatisfy(holds) { return done.add(()) }
      _ = loop.schedule(after: .milliseconds(1)) { check() }
    }
    loop.execute { check() }
    done.wait(for: 1)
  }

  /// Logs the peers of the first link.
  func logPeers() -> EventLog<[String]> {
    let log = EventLog<[String]>()
    withLink { link in
      do {
        try link.peers().observeNext { log.add($0) }
      } catch {
        Issue.record("\(error)")
      }
    }
    return log
  }

  /// Ends all links.
  func end() {
    loop.wait { [parts] in
      for link in parts.value.links { link.dispose() }
    }
  }
}

/// Repeats a closure until it returns true. Returns false if that takes too long.
@discardableResult
func isReached(_ attempt: () -> Bool) -> Bool {
  let end = ContinuousClock.now + longestWait
  while ContinuousClock.now < end {
    if attempt() { return true }
  }
  return false
}
