// Declarations that the examples of MQTT use. The file is compiled with the examples.
// An example declares whatever else it needs.

import RunnelBus
import RunnelLoop
import RunnelMQTT
import RunnelNet
import RunnelStreams

/// The type of `self` in the examples.
@MainActor final class Screen: LifetimeOwner {
  let lifetime = Lifetime()
}

let loop = EventLoop.main

/// A client of a broker that does not exist.
@MainActor let client: MQTTClient = {
  do {
    return try MQTTClient("mqtt+unix:/nobody", on: loop)
  } catch {
    fatalError("\(error)")
  }
}()

@MainActor let bus = EventBus(coder: .json)

let message = MQTTMessage("lights/kitchen", text: "on", qos: .atLeastOnce)

/// The values that the example has shown, in words.
@MainActor var shown: [String] = []
@MainActor func show<each Value>(_ values: repeat each Value) {
  for value in repeat each values { shown.append("\(value)") }
}
