import CSystemd
import RunnelLoop
import RunnelStreams

extension BusConnection {
  /// Serves an object until the result is disposed, also after ``reconnect()``.
  ///
  /// Introspection, which every caller may use, and `org.freedesktop.DBus.Properties` are answered for it.
  /// Nodes above the path exist for introspection.
  ///
  /// - Parameter policy: decides whether a caller may do what it asks for. It reads the caller's user and
  ///   process from the call. A refused call fails with ``BusError/accessDenied(_:)``, and `GetAll` leaves
  ///   a refused property out. Without a policy, every caller that the bus lets through may do everything.
  ///
  /// *Events*: handlers are called in the order in which the calls of a client arrive, also calls to other
  /// objects. A later reply does not delay other calls. At most ``BusLimits/unansweredCalls`` calls of a
  /// client wait for replies.
  ///
  /// *Disposal*: later replies of calls that have begun are still sent.
  ///
  /// - Precondition: there is no other object at the path, and the interfaces have different names, which
  ///   are none of `org.freedesktop.DBus`.
  @discardableResult
  public func export(
    _ interfaces: BusInterface..., at path: ObjectPath, allowing policy: ((BusCall) -> Bool)? = nil
  ) -> Disposable {
    export(interfaces, at: path, allowing: policy)
  }

  func export(
    _ interfaces: [BusInterface], at path: ObjectPath, allowing policy: ((BusCall) -> Bool)?
  ) -> Disposable {
    loop.mustBeCurrent("Exporting an object")
    let object = ExportedObject(interfaces, at: path, policy: policy, on: loop) {
      [weak self] name, interface, writing in
      self?.emit(name, of: interface, at: path, writing: writing)
    }
    objects.add(object)
    followDepartures()
    object.start()
    return Disposable { [objects = core.objects] in
      object.stop()
      objects.remove(object)
    }
  }

  private func emit(
    _ name: String, of interface: String, at path: ObjectPath,
    writing: (BusWriter) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      try send(name, of: interface, at: path, writing: writing)
    } catch {
      // Without a connection there is nobody to tell.
      if error != .disconnected {
        Log("runnel.dbus").warning("The signal \(interface).\(name) was not sent: \(error)")
      }
    }
  }

  // MARK: - Receiving

  /// Returns true if the call is answered, now or later.
  func receiveCall(_ message: OpaquePointer) -> Bool {
    guard let path = sd_bus_message_get_path(message).map({ String(cString: $0) }),
      let member = sd_bus_message_get_member(message).map({ String(cString: $0) })
    else { return false }
    let interface = sd_bus_message_get_interface(message).map { String(cString: $0) }
    let sender =
      address.hasBus ? sd_bus_message_get_sender(message).map { String(cString: $0) } : nil
    guard transport?.isFull == false else {
      transport?.fail(message, .limitsExceeded("The caller does not read its replies."))
      return true
    }
    if interface == StandardInterface.peer {
      answerPeer(ServedRequest(nil, member, of: interface, from: sender, body: BusBody(message)))
      return true
    }
    let asksForDescription =
      member == "Introspect"
      && interface ?? StandardInterface.introspectable
        == StandardInterface.introspectable
    let object = objects[path]
    let children = asksForDescription ? objects.children(of: path) : []
    // sd-bus answers that there is no such object.
    guard object != nil || !children.isEmpty else { return false }
    let request = ServedRequest(
      object, member, of: interface, from: sender, body: BusBody(message))
    if asksForDescription {
      let text = Introspection.describe(object?.interfaces ?? [], children: children)
      finish(request, .value(text), results: "s")
    } else {
      admit(request)
    }
    return true
  }

  /// Answers a call of the interface that each connection has at every path.
  ///
  /// sd-bus would answer too, and end the connection on a machine that has no identifier.
  private func answerPeer(_ request: ServedRequest) {
    switch request.member {
    case "Ping": finish(request, .empty, results: "")
    case "GetMachineId":
      var identifier = sd_id128_t()
      guard sd_id128_get_machine(&identifier) >= 0 else {
        return finish(request, .failed("The machine has no identifier."))
      }
      let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 33) { buffer in
        // Safety: sd-bus writes 32 digits and a zero.
        buffer.baseAddress.map { String(cString: sd_id128_to_string(identifier, $0)) } ?? ""
      }
      finish(request, .value(text), results: "s")
    default:
      finish(request, .unknownMethod("\(StandardInterface.peer) has no method \(request.member)."))
    }
  }

  /// Serves a request as soon as its policy can decide.
  private func admit(_ request: ServedRequest) {
    let hasPolicy = request.object?.policy != nil
    guard let sender = request.sender else {
      return serve(request, from: hasPolicy ? transport?.peer : nil)
    }
    // A call that needs no credentials waits behind earlier ones that do.
    guard hasPolicy || clients[sender]?.waitingCount ?? 0 > 0 else {
      return serve(request, from: nil)
    }
    let client = client(sender)
    guard client.waitingCount < BusLimits.unansweredCalls else {
      return finish(request, .limitsExceeded("The client has too many unanswered calls."))
    }
    let mustAsk = client.wait { [weak self] caller in
      if caller != nil || !hasPolicy && !client.hasLeft {
        self?.serve(request, from: caller)
      } else {
        self?.finish(request, .accessDenied("The caller is not known."))
      }
    }
    if mustAsk {
      call(.ofBus("GetConnectionCredentials"), with: sender).observe(
        succeeded: { client.learn(Self.caller(sender, $0)) }, failed: { _ in client.learn(nil) })
    }
  }

  private static func caller(_ name: String, _ body: BusBody) -> BusCaller? {
    guard let values = try? body.value(as: [String: Variant].self) else { return nil }
    return BusCaller(
      name: name, user: values["UnixUserID"]?[UInt32.self],
      process: values["ProcessID"]?[UInt32.self])
  }

  /// Removes clients that have left the bus. One match rule serves all, because a bus limits their number.
  private func followDepartures() {
    guard address.hasBus, core.departures == nil else { return }
    var filter = SignalFilter(
      "NameOwnerChanged", of: BusDriver.name, at: BusDriver.path, from: BusDriver.name)
    filter.isOfDepartures = true
    core.departures = handle(
      filter,
      { [clients = core.clients] signal in
        let names = try? signal.body.values(as: String.self, String.self, String.self)
        if let (name, _, owner) = names, owner.isEmpty { clients.remove(name) }
      },
      refused: { error in
        Log("runnel.dbus").warning("The bus does not announce clients that leave: \(error)")
      })
  }

  /// The entry of a client. The name is empty without a bus.
  private func client(_ name: String) -> ClientTable.Client {
    let (client, isNew) = clients.use(name)
    if isNew, !name.isEmpty {
      // It may have left before the bus knew the rule for departures.
      call(.ofBus("GetNameOwner"), with: name).observe(failed: { [clients = core.clients] error in
        if case .nameHasNoOwner = error { clients.remove(name) }
      })
    }
    return client
  }

  private func serve(_ request: ServedRequest, from caller: BusCaller?) {
    do throws(BusError) {
      let (reply, results) = try request.reply(to: caller ?? BusCaller(name: request.sender))
      finish(request, reply, results: results)
    } catch {
      finish(request, error)
    }
  }

  // MARK: - Replying

  private func finish(_ request: ServedRequest, _ reply: BusReply, results: String) {
    switch reply.kind {
    case .values(let writing):
      request.object?.announceChanges()
      do throws(BusError) {
        try transport?.reply(to: request.body.message, types: results, writing: writing)
      } catch {
        finish(request, error)
      }
    case .later(let single): wait(for: single, request, results: results)
    }
  }

  private func finish(_ request: ServedRequest, _ error: BusError) {
    request.object?.announceChanges()
    transport?.fail(request.body.message, error)
  }

  private func wait(
    for single: Single<BusReply, BusError>, _ request: ServedRequest, results: String
  ) {
    let client = client(request.sender ?? "")
    guard client.answerCount < BusLimits.unansweredCalls else {
      return finish(request, .limitsExceeded("The client has too many unanswered calls."))
    }
    let key = ObjectIdentifier(request)
    var isFinished = false
    let observation = single.observe(
      succeeded: { [weak self] reply in
        isFinished = true
        client.removeAnswer(for: key)
        self?.finish(request, reply, results: results)
      },
      failed: { [weak self] error in
        isFinished = true
        client.removeAnswer(for: key)
        self?.finish(request, error)
      })
    if !isFinished { client.keep(observation, for: key) }
  }
}
