// expect: conform to 'AskingTransport'
import RunnelBus
import RunnelTesting

func join(_ bus: EventBus, _ plain: PlainBrokerClient) throws {
  try bus.join(plain, exporting: [.requests("a")])
}
