// expect: conform to 'RetainingTransport'
import RunnelBus
import RunnelTesting

func join(_ bus: EventBus, _ plain: PlainBrokerClient) throws {
  try bus.join(plain, exporting: [.retained("a")])
}
