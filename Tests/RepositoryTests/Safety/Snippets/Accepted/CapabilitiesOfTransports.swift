import RunnelBus
import RunnelTesting

func join(
  _ bus: EventBus, _ client: TestBrokerClient, _ plain: PlainBrokerClient,
  _ unknown: any BusTransport
) throws {
  try bus.join(
    client, prefix: "x", exporting: ["a.#", .retained("b"), .acknowledged("c"), .requests("d")],
    importing: [.events("e"), .requests("f")])
  try bus.join(plain, exporting: ["a", .unretained("b"), .unacknowledged("c")])
  try bus.join(untyped: unknown, exporting: ["a", .retained("b"), .requests("c")])
}
