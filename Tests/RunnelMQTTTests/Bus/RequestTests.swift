import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import TestSupport
import Testing

/// Requests over a real broker.
@Suite struct RequestTests {
  struct PriceOf: TopicRequest {
    typealias Reply = Int
    static let topic = "price.of"
    let title: String
  }

  private struct NoPrice: Error {}

  private func ask(
    _ peer: BusPeer, _ title: String, within limit: Duration? = nil
  ) -> EventLog<String> {
    let log = EventLog<String>()
    peer.use { bus in
      bus.ask(PriceOf(title: title), within: limit, on: peer.loop).observe(
        succeeded: { log.add("\($0)") }, failed: { log.add("\($0)") })
    }
    return log
  }

  /// Asks until a program answers: the broker may learn about it later.
  private func askUntilAnswered(_ peer: BusPeer, _ title: String) -> String? {
    var answer: String?
    isReached {
      answer = ask(peer, title).wait(for: 1).first
      return answer != "\(AskFailure.nobodyAnswers)"
    }
    return answer
  }

  @Test("Requests are answered elsewhere, fail with the reason, time out, and can be cancelled")
  func requestsCross() async {
    await withBroker { broker in
      let (client, server) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      for peer in [client, server] {
        peer.join(broker, .requests("price.*"))
        peer.waitUntilOnline()
      }
      #expect(ask(client, "Emma").wait(for: 1) == ["\(AskFailure.nobodyAnswers)"])
      let begun = EventLog<String>()
      let answering = Confined(Disposable.none)
      server.use { bus in
        answering.value = bus.answer(PriceOf.self) { question -> Single<Int, any Error> in
          begun.add(question.title)
          return switch question.title {
          case "free": .failed(NoPrice())
          case "slow": Single { _ in .none }
          default: .just(question.title.count)
          }
        }
      }
      #expect(askUntilAnswered(client, "Emma") == "4")
      #expect(
        ask(client, "free").wait(for: 1)
          == ["\(AskFailure.failed(RemoteFailure("\(NoPrice())")))"])
      #expect(
        ask(client, "slow", within: .milliseconds(20)).wait(for: 1) == ["\(AskFailure.timedOut)"])
      // A request that is disposed has no outcome, and the next one is answered.
      let cancelled = EventLog<String>()
      client.use { bus in
        bus.ask(PriceOf(title: "Persuasion")).observe(
          succeeded: { cancelled.add("\($0)") }, failed: { cancelled.add("\($0)") }
        ).dispose()
      }
      #expect(ask(client, "Emma").wait(for: 1) == ["4"])
      #expect(cancelled.count == 0)
      // A program without Runnel asks.
      let lines = broker.run(
        "mosquitto_rr", "-t", "shop/price/of", "-e", "foreign", "-m", #"{"title":"Sanditon"}"#)
      #expect(lines == ["8"])
      server.use { _ in answering.value.dispose() }
      let isOver = isReached {
        ask(client, "Emma", within: .seconds(10)).wait(for: 1) == ["\(AskFailure.nobodyAnswers)"]
      }
      #expect(isOver)
      [client, server].forEach { $0.end() }
    }
  }

  @Test("A program that vanishes gets no more requests, and others answer them")
  func vanishedProgramsAreNotAsked() async {
    await withBroker { broker in
      let peers = (0..<3).map { _ in BusPeer(on: broker.loop) }
      for (index, peer) in peers.enumerated() {
        peer.join(broker, .requests("price.*"), isCuttable: index == 2)
        peer.waitUntilOnline()
        if index > 0 { peer.use { $0.answer(PriceOf.self) { _ in index } } }
      }
      var answers: Set<String> = []
      isReached {
        if let answer = askUntilAnswered(peers[0], "Emma") { answers.insert(answer) }
        return answers.count == 2
      }
      #expect(answers == ["1", "2"])
      let seen = peers[0].logPeers()
      seen.wait { $0.last?.count == 2 }
      peers[2].loop.wait { peers[2].parts.value.relay?.cut() }
      seen.wait { $0.last?.count == 1 }
      // The two connections of a program may end one after the other.
      var later: [String?] = []
      isReached {
        later.append(ask(peers[0], "Emma", within: .seconds(10)).wait(for: 1).first)
        return later.suffix(20).filter { $0 == "1" }.count == 20
      }
      #expect(later.suffix(20) == Array(repeating: "1", count: 20)[...])
      peers.forEach { $0.end() }
    }
  }

  @Test("Requests cross with MQTT 3.1.1")
  func requestsCrossInOldVersion() async {
    await withBroker { broker in
      let (client, server) = (BusPeer(on: broker.loop), BusPeer(on: broker.loop))
      server.use { $0.answer(PriceOf.self) { $0.title.count } }
      for peer in [client, server] {
        peer.join(broker, .requests("price.*")) { $0.version = .v311 }
        peer.waitUntilOnline()
      }
      // The broker does not say that nobody answers. A busy machine needs longer.
      var limit = Duration.milliseconds(50)
      let isAnswered = isReached {
        limit *= 2
        return ask(client, "Emma", within: limit).wait(for: 1) == ["4"]
      }
      #expect(isAnswered)
      [client, server].forEach { $0.end() }
    }
  }
}
