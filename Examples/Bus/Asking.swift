import Runnel

/// Stands for a shop on the network.
func priceOnline(of title: String) async throws -> Int { title.count * 100 }

@MainActor
func show(_ answer: String) {
  print(answer)
  EventLoop.main.stop()
}

struct Price: BusRequest {
  typealias Reply = Int
  let title: String
}

let bus = EventBus()
let answering = bus.answer(Price.self) { question in
  Single.task { try await priceOnline(of: question.title) }
}
bus.ask(Price(title: "Emma"), within: .seconds(1))
  .observe(succeeded: { show("It costs \($0).") }, failed: { show("\($0)") })
EventLoop.main.run()
answering.dispose()

bus.ask(Price(title: "Persuasion"))
  .observe(succeeded: { show("It costs \($0).") }, failed: { show("\($0)") })

// Output:
// It costs 400.
// Nobody answers this request on the bus or its parents. Call answer(_:with:) there first, and do not dispose the result.
