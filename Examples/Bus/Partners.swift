import RunnelBus
import RunnelTesting

struct OrderCreated: TopicEvent {
  static let topic = "orders.created"
  let number: Int
}

let scheduler = TestScheduler()
let broker = TestBroker(on: scheduler)
let shop = EventBus(coder: .json)
let store = EventBus(coder: .json)
let link = try shop.join(
  broker.client("shop"), prefix: "acme", exporting: ["orders.#"], importing: ["stock.*"])
try store.join(broker.client("store"), prefix: "acme", importing: ["orders.#"])
scheduler.advance(ticks: 1)  // both are online

store.events(OrderCreated.self).observeNext { print("order", $0.number) }
shop.publish(OrderCreated(number: 7))
link.state.observeNext { print($0) }  // connecting, online, offline: …
scheduler.advance(ticks: 1)

// Output:
// order 7
// online
