import CSystemd
import Glibc

extension BusSocket {
  /// Sends the reply to a call, if the caller expects one. Its values must have the types.
  func reply(
    to call: OpaquePointer, types: String, writing: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard bus != nil, sd_bus_message_get_expect_reply(call) > 0 else { return }
    guard backlog.bytes <= BusLimits.unreadReplyBytes else { return }
    var message: OpaquePointer?
    let result = sd_bus_message_new_method_return(call, &message)
    guard result >= 0, let message else { throw BusError(connectionCode: result) }
    defer { sd_bus_message_unref(message) }
    let writer = MessageWriter(message, limit: messageBytes)
    try writing(BusWriter(sink: .message(writer)))
    guard let found = sd_bus_message_get_signature(message, 1) else { throw .malformed }
    guard types.withCString({ strcmp(found, $0) }) == 0 else {
      throw .wrongSignature(expected: types, found: String(cString: found))
    }
    try send(message, replySize: writer.size)
  }

  /// True if the unread replies have half of the allowed size. Then no further call is served.
  var isFull: Bool { backlog.bytes > BusLimits.unreadReplyBytes / 2 }

  /// Replies to a call with an error, if the caller expects a reply.
  func fail(_ call: OpaquePointer, _ error: BusError) {
    guard let bus, sd_bus_message_get_expect_reply(call) > 0 else { return }
    guard backlog.bytes <= BusLimits.unreadReplyBytes else { return }
    // A bus ends the connection of a sender of an invalid name, which sd-bus does not check.
    let name = NameRules.isInterface(error.name) ? error.name : BusError.failed("").name
    // The text can repeat what the caller has sent, and a bus ends the connection of a sender of a larger
    // message than it allows.
    let text = String(decoding: error.text.utf8.prefix(BusLimits.errorBytes), as: UTF8.self)
    name.withCString { name in
      text.withCString { text in
        var error = sd_bus_error(name: name, message: text, _need_free: 0)
        _ = sd_bus_reply_method_error(call, &error)
      }
    }
    backlog.add(replyWithBody: text.utf8.count, waiting: queuedCount(bus))
    update()
  }

  /// The program at the other end of a connection without a bus.
  var peer: BusCaller {
    var credentials: OpaquePointer?
    let wanted = UInt64(SD_BUS_CREDS_EUID | SD_BUS_CREDS_PID)
    guard let bus, sd_bus_get_owner_creds(bus, wanted, &credentials) >= 0 else {
      return BusCaller(name: nil)
    }
    defer { sd_bus_creds_unref(credentials) }
    var (user, process) = (uid_t.max, pid_t(0))
    let hasUser = sd_bus_creds_get_euid(credentials, &user) >= 0
    let hasProcess = sd_bus_creds_get_pid(credentials, &process) >= 0
    return BusCaller(
      name: nil, user: hasUser ? user : nil, process: hasProcess ? UInt32(process) : nil)
  }
}
