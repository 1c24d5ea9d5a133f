import CSystemd
import Glibc

@testable import RunnelDBus

/// A bus of sd-bus without a peer, whose messages are written and read in this process.
final class MessageFactory {
  private var bus: OpaquePointer?
  private var peer: Int32 = -1

  init() {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    peer = ends[1]
    precondition(sd_bus_new(&bus) >= 0)
    precondition(sd_bus_set_fd(bus, ends[0], ends[0]) >= 0)
    precondition(sd_bus_start(bus) >= 0)
  }

  deinit {
    sd_bus_close(bus)
    sd_bus_unref(bus)
    close(peer)
  }

  /// Returns a sealed message with the values that the closure writes. The caller releases it.
  func message(
    _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) -> OpaquePointer {
    var message: OpaquePointer?
    precondition(sd_bus_message_new_signal(bus, &message, "/x", "x.y", "Z") >= 0)
    guard let message else { preconditionFailure("No message.") }
    do throws(BusError) {
      try body(BusWriter(message, limit: BusLimits.bytes))
    } catch {
      sd_bus_message_unref(message)
      throw error
    }
    precondition(sd_bus_message_seal(message, 1, 0) >= 0)
    precondition(sd_bus_message_rewind(message, 1) >= 0)
    return message
  }

  /// Writes a value to a message, and reads it.
  func roundTrip<Value: BusValue>(_ value: Value) throws(BusError) -> Value {
    let message = try message { writer throws(BusError) in try value.write(to: writer) }
    defer { sd_bus_message_unref(message) }
    return try Value(from: BusReader(MessageReference(message)))
  }

  /// Writes content of any type to a message, and reads it.
  func roundTrip(_ content: Variant.Content) throws(BusError) -> Variant.Content {
    let message = try message { writer throws(BusError) in try writer.write(content) }
    defer { sd_bus_message_unref(message) }
    return try BusReader(MessageReference(message)).readContent(of: content.type)
  }
}
