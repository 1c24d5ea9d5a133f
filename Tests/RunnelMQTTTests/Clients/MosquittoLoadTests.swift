import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelMQTT

/// Many messages through a real broker.
@Suite struct MosquittoLoadTests {
  /// A consumer that is behind: it pauses its source after each 50 messages, until the next turn of the loop.
  private final class SlowConsumer {
    var texts: Set<String> = []
    var count = 0
    /// The largest memory of messages that have waited for the consumer.
    var backlog = 0
    private let place = HeldSources()

    func receive(_ message: MQTTMessage, of client: MQTTClient?, on loop: EventLoop) {
      count += 1
      texts.insert(message.topic)
      backlog = max(backlog, client?.core.session.inbox.bytes ?? 0)
      guard count.isMultiple(of: 50), let source = Delivery.source else { return }
      place.hold(source)
      loop.execute { [held = Confined(place)] in held.value.resumeAll() }
    }
  }

  /// 100,000 topics with `RUNNEL_CASES=50`.
  @Test("A subscriber that is behind gets each of many retained topics, in bounded memory")
  func retainedTopics() async {
    let count = min(seeds(2_000).count, 100_000)
    await withBroker { broker in
      let publisher = broker.client { $0.inFlight = 1_000 }
      let confirmed = EventLog<Int>()
      for start in stride(from: 0, to: count, by: 20_000) {
        let end = min(start + 20_000, count)
        broker.loop.execute {
          for number in start..<end {
            publisher.value?.publish(
              MQTTMessage("kept/\(number)", text: "x", qos: .atLeastOnce, isRetained: true)
            ).observe(succeeded: { _ in if number == end - 1 { confirmed.add(end) } })
          }
        }
        confirmed.wait { $0.last == end }
      }
      let done = EventLog<Int>()
      let consumer = Confined(SlowConsumer())
      let limit = 4 << 20
      let subscriber = broker.client { $0.queueBytes = limit }
      broker.loop.execute { [loop = broker.loop] in
        subscriber.value?.subscribe(to: "kept/#").observe(next: { message in
          consumer.value.receive(message, of: subscriber.value, on: loop)
          if consumer.value.texts.count == count { done.add(count) }
        })
      }
      done.wait(for: 1)
      let (messages, backlog, counts) = broker.loop.wait {
        (consumer.value.count, consumer.value.backlog, subscriber.value?.counts)
      }
      #expect(counts?.dropped == 0)
      #expect(1...limit + 64 * 200 ~= backlog)
      // The broker exceeds the receive maximum. With very many messages it is cut off, and sends some again.
      #expect(messages >= count && (messages == count || counts?.connections != 1))
    }
  }

  @Test("A consumer that has stopped stops neither the sending of its client nor other clients")
  func stoppedConsumer() async {
    await withBroker { broker in
      let (slow, other) = (broker.client(), broker.client())
      let place = Confined(HeldSources())
      let (seen, all) = (EventLog<String>(), EventLog<String>())
      let isReady = EventLog<Void>()
      broker.loop.execute {
        slow.value?.subscribe(to: "load", confirmed: { isReady.add(()) }).observe(next: {
          seen.add($0.text)
          if seen.count == 1, let source = Delivery.source { place.value.hold(source) }
        })
        other.value?.subscribe(to: "load", confirmed: { isReady.add(()) }).observe(next: {
          all.add($0.text)
        })
      }
      isReady.wait(for: 2)
      let confirmed = EventLog<Int>()
      broker.loop.execute {
        for number in 0..<500 {
          slow.value?.publish(MQTTMessage("load", text: "\(number)", qos: .exactlyOnce)).observe(
            succeeded: { _ in confirmed.add(number) })
        }
      }
      confirmed.wait(for: 500)
      #expect(all.wait(for: 500) == (0..<500).map { "\($0)" })
      #expect(seen.all == ["0"])
      broker.loop.execute { place.value.resumeAll() }
      #expect(seen.wait(for: 500) == (0..<500).map { "\($0)" })
    }
  }
}
