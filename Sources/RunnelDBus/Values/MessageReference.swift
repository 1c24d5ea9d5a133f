import CSystemd
import RunnelStreams

/// A reference to a message of sd-bus, which counts references without regard to threads.
///
/// If another thread releases this object, the message is released in the context that has created it.
final class MessageReference {
  /// Safety: the reference of this object keeps the message.
  let message: OpaquePointer
  private let home = Current.contextIfAny

  init(_ message: OpaquePointer) {
    self.message = message
    sd_bus_message_ref(message)
  }

  deinit {
    guard let home, !home.admitsCaller else {
      sd_bus_message_unref(message)
      return
    }
    // Safety: only the job uses this reference to the message.
    nonisolated(unsafe) let message = message
    home.execute { sd_bus_message_unref(message) }
  }
}
