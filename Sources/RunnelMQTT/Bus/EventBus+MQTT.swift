import RunnelBus
import RunnelNet

extension EventBus {
  /// Joins this bus to buses in other programs, over a broker of MQTT.
  ///
  ///     let link = try bus.join(
  ///       "mqtt://localhost", prefix: "shop", exporting: ["orders.#"],
  ///       importing: ["orders.#", "stock.*"], on: loop)
  ///     link.state.observeNext { print($0) }  // connecting, online, offline: …
  ///
  /// Programs with the same prefix are the peers of each other. Use an ``MQTTTransport`` for several links over
  /// one connection. The rest is as for any transport.
  ///
  /// Throws an ``MQTTError`` if the URL or an option is not valid, and a `JoinError` if a pattern is not.
  /// A broker that cannot be reached is no error, but a state of the link.
  @discardableResult
  public func join(
    _ url: String, prefix: String? = nil, exporting: [JoinPattern<MQTTTransport>] = [],
    importing: [JoinPattern<MQTTTransport>] = [], queue: LinkQueue = LinkQueue(),
    options: MQTTOptions = MQTTOptions(), on network: some Network
  ) throws -> BusLink {
    try join(
      MQTTTransport(url, options: options, group: prefix ?? "", on: network), prefix: prefix,
      exporting: exporting, importing: importing, queue: queue)
  }
}
