// expect: conform to 'RetainingTransport'
import RunnelBus
import RunnelDBus

func join(_ bus: EventBus, _ transport: DBusTransport) throws {
  try bus.join(transport, exporting: [.retained("a")])
}
