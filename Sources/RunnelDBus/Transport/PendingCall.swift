import CSystemd
import Glibc
import RunnelLoop
import RunnelStreams

/// A call that waits for its turn, and then for its reply.
final class PendingCall {
  var slot: OpaquePointer?
  /// True if the bus limits the number of such calls.
  let isCounted: Bool
  let hasDescriptors: Bool
  /// The end of the time limit.
  let due: Duration
  /// The position among the calls that wait for their turn.
  var ticket: Int?
  /// The message and the timer of the time limit while the call waits for its turn.
  private var waiting: (message: MessageReference, timer: Disposable)?
  private weak let transport: BusSocket?
  /// The service, if the call must not start it.
  private let absentService: String?
  private var finish: ((Result<BusBody, BusError>) -> Void)?

  init(
    transport: BusSocket, due: Duration, isCounted: Bool, hasDescriptors: Bool,
    absentService: String?,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) {
    self.transport = transport
    self.due = due
    self.isCounted = isCounted
    self.hasDescriptors = hasDescriptors
    self.absentService = absentService
    self.finish = finish
  }

  /// Keeps the message until it is the turn of the call.
  func wait(with message: OpaquePointer, on loop: EventLoop) {
    let timer = loop.schedule(at: due) { [weak self] in self?.end()?(.failure(.timedOut)) }
    waiting = (MessageReference(message), timer)
  }

  /// Returns the message, because it is the turn of the call.
  func takeMessage() -> MessageReference? {
    let taken = exchange(&waiting, with: nil)
    taken?.timer.dispose()
    return taken?.message
  }

  /// The serial number of the replies that sd-bus makes itself.
  private static let localSerial = UInt64(UInt32.max)

  func replied(_ reply: OpaquePointer) {
    guard sd_bus_message_is_method_error(reply, nil) > 0 else {
      end()?(.success(BusBody(reply)))
      return
    }
    // sd-bus counts in whole microseconds.
    let isDue = transport.map { $0.loop.now + .microseconds(2) >= due } ?? false
    guard let finish = end() else { return }
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
  ///
  /// A call that counts stays until its reply or its time limit, because the bus counts it until then.
  func cancel() {
    let action = isCounted && slot != nil ? exchange(&finish, with: nil) : end()
    RunnelStreams.release(action)
  }

  private func end() -> ((Result<BusBody, BusError>) -> Void)? {
    transport?.remove(self)
    return exchange(&finish, with: nil)
  }

  /// Releases what sd-bus and the loop have for the call.
  func releaseAll() {
    _ = takeMessage()
    sd_bus_slot_unref(slot)
    slot = nil
  }
}
