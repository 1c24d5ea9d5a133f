import CSystemd
import Glibc

extension BusSocket {
  /// Creates a method call, which is not sealed. The caller releases it.
  func makeCall(_ method: BusMethod) throws(BusError) -> OpaquePointer {
    guard let bus else { throw .disconnected }
    var message: OpaquePointer?
    // A string that is passed as a pointer is copied, but not by `withCString`.
    let result = method.path.text.withCString { path in
      method.interface.withCString { interface in
        method.name.withCString { name in
          guard let service = method.service else {
            return sd_bus_message_new_method_call(bus, &message, nil, path, interface, name)
          }
          return service.withCString {
            sd_bus_message_new_method_call(bus, &message, $0, path, interface, name)
          }
        }
      }
    }
    guard result >= 0, let message else { throw BusError(connectionCode: result) }
    return message
  }

  /// Creates a signal, which is not sealed. The caller releases it.
  func makeSignal(
    _ name: String, of interface: String, at path: ObjectPath
  ) throws(BusError) -> OpaquePointer {
    guard let bus else { throw .disconnected }
    var message: OpaquePointer?
    let result = path.text.withCString { path in
      interface.withCString { interface in
        name.withCString { sd_bus_message_new_signal(bus, &message, path, interface, $0) }
      }
    }
    guard result >= 0, let message else { throw BusError(connectionCode: result) }
    return message
  }

  /// Writes the messages that wait, as far as the socket has room.
  func flush(_ bus: OpaquePointer) {
    // A handler closes the connection: sd-bus does not allow a step within a step.
    guard !isProcessing else { return }
    func hasRoom() -> Bool {
      var descriptor = pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLOUT), revents: 0)
      return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }
    // sd-bus writes first in a step. A step that writes a part of a message also reads one, which the
    // filter drops.
    while sd_bus_is_open(bus) > 0, queuedCount(bus) > 0, hasRoom(), sd_bus_process(bus, nil) > 0 {}
  }
}
