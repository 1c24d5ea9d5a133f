import RunnelBus
import RunnelStreams

let bus = EventBus(coder: .json)
try bus.events(Double.self, on: "home.*.temperature")
  .observe(next: { print($0) }, failed: { print($0) })
try bus.publish(21.5, on: "home.kitchen.temperature")
try bus.publish(bytes: Array("19".utf8), on: "home.hall.temperature")

// Output:
// 21.5
// 19.0
