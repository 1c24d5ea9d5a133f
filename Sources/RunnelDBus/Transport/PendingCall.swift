import CSystemd
import Glibc
import RunnelStreams

/// A call that waits for its reply.
final class PendingCall {
  var slot: OpaquePointer?
  private weak let transport: BusTransport?
  private var finish: ((Result<BusBody, BusError>) -> Void)?

  init(transport: BusTransport, _ finish: @escaping (Result<BusBody, BusError>) -> Void) {
    self.transport = transport
    self.finish = finish
  }

  /// The serial number of the replies that sd-bus makes itself.
  private static let localSerial = UInt64(UInt32.max)

  func replied(_ reply: OpaquePointer) {
    guard let finish = end() else { return }
    guard sd_bus_message_is_method_error(reply, nil) > 0 else {
      return finish(.success(BusBody(reply)))
    }
    // Safety: the error belongs to the reply, which sd-bus keeps during this call.
    let error = sd_bus_message_get_error(reply)?.pointee
    let name = error?.name.map { String(cString: $0) } ?? ""
    let text = error?.message.map { String(cString: $0) } ?? ""
    var failure = BusError(name: name, text: text)
    var serial: UInt64 = 0
    sd_bus_message_get_cookie(reply, &serial)
    // sd-bus replies in place of a service that is late.
    if case .noReply = failure, serial == Self.localSerial { failure = .timedOut }
    finish(.failure(failure))
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
