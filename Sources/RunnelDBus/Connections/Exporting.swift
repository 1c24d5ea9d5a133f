import CSystemd
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
  /// *Events*: handlers are called in the order in which the calls of a client arrive. A later reply does
  /// not delay other calls. At most ``BusLimits/unansweredCalls`` calls of a client wait for replies.
  ///
  /// *Disposal*: replies that are on their way are still sent. A second object at a path traps.
  @discardableResult
  public func export(
    _ interfaces: BusInterface..., at path: ObjectPath, allowing policy: ((BusCall) -> Bool)? = nil
  ) -> Disposable {
    loop.mustBeCurrent("Exporting an object")
    let object = ExportedObject(interfaces, at: path, policy: policy, on: loop) {
      [weak self] name, interface, writing in
      self?.emit(name, of: interface, at: path, writing: writing)
    }
    objects.add(object)
    object.start()
    return Disposable { [objects] in
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
    // sd-bus answers these calls for every path.
    if interface == StandardInterface.peer { return false }
    let asksForDescription =
      member == "Introspect"
      && interface ?? StandardInterface.introspectable
        == StandardInterface.introspectable
    let object = objects[path]
    let children = asksForDescription ? objects.children(of: path) : []
    guard object != nil || !children.isEmpty else { return false }
    let sender =
      address.hasBus ? sd_bus_message_get_sender(message).map { String(cString: $0) } : nil
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

  /// Serves a request as soon as its policy can decide.
  private func admit(_ request: ServedRequest) {
    guard request.object?.policy != nil else {
      return serve(request, from: BusCaller(name: request.sender))
    }
    guard let sender = request.sender else {
      return serve(request, from: transport?.peer ?? BusCaller(name: nil))
    }
    let client = client(sender)
    guard client.waitingCount < BusLimits.unansweredCalls else {
      return finish(request, .limitsExceeded("The client has too many unanswered calls."))
    }
    let mustAsk = client.wait { [weak self] caller in
      if let caller {
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

  private func client(_ name: String) -> ClientTable.Client {
    clients.client(name) { [weak self] left in
      guard let self, !name.isEmpty else { return .none }
      // Not as a stream, which would retain the connection.
      let (following, entry) = followEntry(name)
      let observation = entry.state.observeNext { state in
        if state == .absent { left() }
      }
      return Disposable {
        observation.dispose()
        following.dispose()
      }
    }
  }

  private func serve(_ request: ServedRequest, from caller: BusCaller) {
    do throws(BusError) {
      let (reply, results) = try request.reply(to: caller)
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
