import Runnel
import RunnelDBus

struct Created: TopicEvent {
  static let topic = "orders.created"
  let number: Int
}

let bus = BusConnection(.session, on: .main)
let events = EventBus(coder: .json)
events.events(Created.self).observeNext { order in print("order", order.number) }

// Another program has these, with a connection of its own.
let shop = EventBus(coder: .json)
let connection = BusConnection(.session, on: .main)

do {
  let transport = DBusTransport(as: "store", on: bus)
  let link = try events.join(transport, prefix: "shop", importing: ["orders.#"])
  let other = try shop.join(
    DBusTransport(as: "counter", on: connection), prefix: "shop", exporting: ["orders.#"])
  EventLoop.main.run(until: link.state.filter { state in state == .online })
  EventLoop.main.run(until: transport.peers.filter { names in !names.isEmpty })
  print(transport.peers.value)
  let order = events.events(Created.self).share()
  order.observeNext { _ in EventLoop.main.stop() }
  EventLoop.main.run(until: other.state.filter { state in state == .online })
  shop.publish(Created(number: 7))
  EventLoop.main.run()
  other.dispose()
  link.dispose()
} catch {
  print(error)
}

// Output:
// ["counter"]
// order 7
