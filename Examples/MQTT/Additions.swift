import Runnel
import RunnelMQTT

let url = CommandLine.arguments.dropFirst().first ?? "mqtt://localhost"
do {
  // The program that answers.
  let service = try MQTTClient(url, on: EventLoop.main)
  let isReady = Property(false)
  service.subscribe(to: "sums", confirmed: { isReady.value = true }).observe(
    next: { request in
      guard let topic = request.responseTopic else { return }
      let sum = request.text.split(separator: "+").compactMap { Int($0) }.reduce(0, +)
      var answer = MQTTMessage(topic, text: "\(sum)", qos: .atLeastOnce)
      answer.correlationData = request.correlationData
      service.publish(answer).observe(failed: { error in print(error) })
    }, failed: { error in print(error) })
  EventLoop.main.run(until: isReady.filter { $0 })

  // The program that asks.
  let client = try MQTTClient(url, on: EventLoop.main)
  let answers = client.subscribe(to: "answers/7").share()
  answers.observe(failed: { error in print(error) })
  var request = MQTTMessage("sums", text: "40+2", qos: .atLeastOnce)
  request.responseTopic = "answers/7"
  request.correlationData = [1]
  client.publish(request).observe(
    succeeded: { receipt in
      if receipt == .withoutSubscribers { print("Nobody answers.") }
    }, failed: { error in print(error) })
  let answer = try EventLoop.main.run(until: answers.filter { $0.correlationData == [1] })
  print("answer:", answer?.text ?? "none")
} catch {
  print(error)
}

// Output:
// answer: 42
