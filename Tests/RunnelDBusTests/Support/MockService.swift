import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

extension PrivateBus {
  /// Runs a body with a service of a template of python-dbusmock. The parameters are JSON.
  func withMock(
    _ template: String, parameters: String = "{}", named name: String, _ body: () -> Void
  ) {
    withProgram(
      ["/usr/bin/python3", "-m", "dbusmock", "-t", template, "-p", parameters],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address,
      ], named: name, body)
  }

  /// Runs a body with a program when it has its name. Nobody has the name at the end.
  func withProgram(
    _ command: [String], environment: [String: String], named name: String, _ body: () -> Void
  ) {
    let client = connect()
    let states = EventLog<ServiceState>()
    let following = Confined(Disposable.none)
    loop.wait {
      following.value = client.value?.service(name).observeNext { states.add($0) } ?? .none
    }
    states.wait { $0.last == .absent }
    withProcessHere(untilParentEnds + command, environment: environment) { _ in
      states.wait { $0.last?.owner != nil }
      body()
    }
    states.wait { $0.last == .absent }
    loop.wait {
      following.value.dispose()
      client.value = nil
    }
  }

  /// Calls a method of a mock that changes it.
  func tellMock(
    _ name: String, at path: ObjectPath, of service: String,
    writing: @escaping @Sendable (BusWriter) throws(BusError) -> Void
  ) {
    let method = BusMethod(name, of: "org.freedesktop.DBus.Mock", at: path, from: service)
    let result = loop.result(of: method, on: connect(), writing: writing)
    if case .error(let error) = result { Issue.record(error) }
  }

  /// Changes properties of an object of a mock, which announces them.
  func updateMock(
    _ interface: String, at path: ObjectPath, of service: String, _ values: [String: Variant]
  ) {
    tellMock("UpdateProperties", at: path, of: service) { writer throws(BusError) in
      try interface.write(to: writer)
      try values.write(to: writer)
    }
  }

  /// Serves objects with a name until the body ends.
  func withService(
    _ name: String, _ export: @escaping @Sendable (BusConnection) -> Void, _ body: () -> Void
  ) {
    let server = connect()
    let names = EventLog<NameState>()
    loop.wait {
      guard let server = server.value else { return }
      export(server)
      _ = server.name(name).observe(next: { names.add($0) })
    }
    names.wait(for: 1)
    body()
    loop.wait {
      server.value?.close()
      server.value = nil
    }
  }
}
