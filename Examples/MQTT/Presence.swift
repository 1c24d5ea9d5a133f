import Runnel
import RunnelMQTT

let url = CommandLine.arguments.dropFirst().first ?? "mqtt://localhost"
do {
  let watcher = try MQTTClient(url, on: EventLoop.main)
  let states = watcher.subscribe(to: "machines/+").share()
  states.observe(
    next: { message in print(message.topic, message.text) },
    failed: { error in print(error) })

  let topic = "machines/press"
  let options = MQTTOptions {
    $0.clientID = "press"
    // The broker publishes it if the program vanishes.
    $0.will = MQTTWill(MQTTMessage(topic, text: "gone", isRetained: true))
  }
  let press = try MQTTClient(url, options: options, on: EventLoop.main)
  // After each new connection.
  press.state.filter { $0 == .online }.observeNext { _ in
    do {
      try press.send(MQTTMessage(topic, text: "running", isRetained: true))
    } catch {
      print(error)
    }
  }
  _ = try EventLoop.main.run(until: states.filter { $0.text == "running" })

  // A program that ends in order says so itself.
  try press.send(MQTTMessage(topic, text: "stopped", isRetained: true))
  EventLoop.main.run(until: press.leave().stream)
  _ = try EventLoop.main.run(until: states.filter { $0.text == "stopped" })
} catch {
  print(error)
}

// Output:
// machines/press running
// machines/press stopped
