import Runnel
import RunnelMQTT

struct OrderCreated: TopicEvent {
  static let topic = "orders.created"
  let number: Int
}

struct StockOf: TopicRequest {
  typealias Reply = Int
  static let topic = "stock-of"
  let title: String
}

let url = CommandLine.arguments.dropFirst().first ?? "mqtt://localhost"
do {
  // The two buses could be in two programs on two machines.
  let store = EventBus(coder: .json)
  store.events(OrderCreated.self).observeNext { print("order", $0.number) }
  store.answer(StockOf.self) { question in question.title.count }
  let storeLink = try store.join(
    url, prefix: "acme", exporting: ["prices.*"],
    importing: ["orders.#", .requests("stock-of")], on: EventLoop.main)
  // It is kept for programs that start later.
  try store.publish(3.50, on: "prices.tea", sticky: true)
  EventLoop.main.run(until: storeLink.state.filter { $0 == .online })

  let shop = EventBus(coder: .json)
  try shop.events(Double.self, on: "prices.*").observe(
    next: { price in print("price", price) }, failed: { error in print(error) })
  let link = try shop.join(
    url, prefix: "acme", exporting: ["orders.#", .requests("stock-of")],
    importing: ["prices.*"], on: EventLoop.main)
  link.state.observeNext { print($0) }
  EventLoop.main.run(until: link.state.filter { $0 == .online })

  shop.publish(OrderCreated(number: 7))
  EventLoop.main.run(until: store.events(OrderCreated.self))
  let stock = shop.ask(StockOf(title: "tea"), within: .seconds(10))
  print("stock", try EventLoop.main.run(until: stock) ?? 0)
  let others = try link.peers().filter { $0.count == 1 }
  print("others", EventLoop.main.run(until: others)?.count ?? 0)

  EventLoop.main.run(until: link.leave().stream)
} catch {
  print(error)
}

// Output:
// connecting
// price 3.5
// online
// order 7
// stock 3
// others 1
// offline: The link was disposed, or its transport was closed.
