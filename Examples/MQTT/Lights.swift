import Runnel
import RunnelMQTT

let url = CommandLine.arguments.dropFirst().first ?? "mqtt://localhost"
do {
  let client = try MQTTClient(url, on: EventLoop.main)
  client.state.filter { $0 == .online }.observeNext { _ in print("online") }

  let lights = client.subscribe(to: "lights/+/state").share()
  lights.observe(
    next: { message in print(message.topic, message.text) },
    failed: { error in print(error) })

  // It waits until there is a connection.
  var message = MQTTMessage("lights/kitchen/state", text: "on", qos: .atLeastOnce)
  message.isRetained = true
  let published = client.publish(message)
  print("published:", try EventLoop.main.run(until: published) ?? .sent)

  try client.send(MQTTMessage("lights/hall/state", text: "off"))
  _ = try EventLoop.main.run(until: lights.filter { $0.topic == "lights/hall/state" })

  EventLoop.main.run(until: client.leave().stream)
  print(client.state.value)
} catch {
  print(error)
}

// Output:
// online
// lights/kitchen/state on
// published: confirmed
// lights/hall/state off
// closed
