import RunnelBus
import RunnelStreams

extension DBusTransport: AskingTransport {
  /// Sends a request to the program that has the name of the topic on the bus.
  public func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    guard let service = EventNames.answerer(on: topic) else {
      return .failed(
        .failed(TransportError.unmappable(topic, reason: "A name of D-Bus has at most 255 bytes.")))
    }
    let method = BusMethod(
      "Ask", of: EventNames.interface, at: EventNames.path, from: service)
    return .deferred { () throws(AskFailure) in
      guard self.isOnline else {
        throw .failed(TransportError.unreachable(reason: "There is no connection."))
      }
      return self.bus.call(
        method, timeout: Self.noLimit, startsService: false, with: topic, payload
      )
      .map { body throws(BusError) in try body.value(as: [UInt8].self) }
      .mapFailure(EventRequests.failure)
    }
  }

  /// The caller sets a limit.
  private static let noLimit = Duration.seconds(100 * 365 * 86_400)

  /// Answers the requests on a topic. Of several programs, the one answers that began first. A topic whose
  /// name on the bus would have more than 255 bytes is not answered, which is logged.
  public func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    requests.add(body, on: topic)
  }
}
