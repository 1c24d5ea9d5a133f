import CSystemd
import Glibc
import RunnelStreams

/// A call that waits for its reply.
final class PendingCall {
  var slot: OpaquePointer?
  private weak let transport: BusTransport?
  private let deadline: Duration
  private var finish: ((Result<BusBody, BusError>) -> Void)?

  init(
    transport: BusTransport, deadline: Duration,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) {
    self.transport = transport
    self.deadline = deadline
    self.finish = finish
  }

  func replied(_ reply: OpaquePointer) {
    guard let finish = end() else { return }
    let isLate = transport.map { $0.now >= deadline } ?? false
    guard sd_bus_message_is_method_error(reply, nil) > 0 else {
      return finish(.success(BusBody(reply)))
    }
    // Safety: the error belongs to the reply, which sd-bus keeps during this call.
    let error = sd_bus_message_get_error(reply)?.pointee
    let name = error?.name.map { String(cString: $0) } ?? ""
    let text = error?.message.map { String(cString: $0) } ?? ""
    var failure = BusError(name: name, text: text)
    if case .noReply = failure, isLate { failure = .timedOut }
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
