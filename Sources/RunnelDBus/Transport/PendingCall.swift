import CSystemd
import Glibc
import RunnelStreams

/// A call that waits for its reply.
final class PendingCall {
  var slot: OpaquePointer?
  private weak let transport: BusTransport?
  /// The end of the time limit.
  private let due: Duration
  /// The service, if the call must not start it.
  private let absentService: String?
  private var finish: ((Result<BusBody, BusError>) -> Void)?

  init(
    transport: BusTransport, due: Duration, absentService: String?,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) {
    self.transport = transport
    self.due = due
    self.absentService = absentService
    self.finish = finish
  }

  /// The serial number of the replies that sd-bus makes itself.
  private static let localSerial = UInt64(UInt32.max)

  func replied(_ reply: OpaquePointer) {
    // sd-bus counts in whole microseconds.
    let isDue = transport.map { $0.loop.now + .microseconds(2) >= due } ?? false
    guard let finish = end() else { return }
    guard sd_bus_message_is_method_error(reply, nil) > 0 else {
      return finish(.success(BusBody(reply)))
    }
    // Safety: the error belongs to the reply, which sd-bus keeps during this call.
    let error = sd_bus_message_get_error(reply)?.pointee
    let name = error?.name.map { String(cString: $0) } ?? ""
    let text = error?.message.map { String(cString: $0) } ?? ""
    let failure = BusError(name: name, text: text)
    switch failure {
    case .noReply where isDue && isLocal(reply): finish(.failure(.timedOut))
    case .serviceUnknown where isFromBus(reply), .nameHasNoOwner where isFromBus(reply):
      finish(.failure(absentService.map { .serviceAbsent($0) } ?? failure))
    default: finish(.failure(failure))
    }
  }

  /// True if sd-bus may have made a reply in place of a service that is late. A peer can use the serial
  /// number as well.
  private func isLocal(_ reply: OpaquePointer) -> Bool {
    var serial: UInt64 = 0
    sd_bus_message_get_cookie(reply, &serial)
    return serial == Self.localSerial
  }

  private func isFromBus(_ reply: OpaquePointer) -> Bool {
    sd_bus_message_get_sender(reply).map { String(cString: $0) } == BusDriver.name
  }

  func failed(_ error: BusError) {
    let finish = exchange(&finish, with: nil)
    finish?(.failure(error))
  }

  /// Ends the call without a result. A reply that arrives later is ignored.
  func cancel() {
    RunnelStreams.release(end())
  }

  private func end() -> ((Result<BusBody, BusError>) -> Void)? {
    if transport?.remove(self) == true { releaseSlot() }
    return exchange(&finish, with: nil)
  }

  func releaseSlot() {
    sd_bus_slot_unref(slot)
    slot = nil
  }
}
