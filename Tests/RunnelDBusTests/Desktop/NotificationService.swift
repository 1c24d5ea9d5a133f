import RunnelLoop
import RunnelStreams
import TestSupport

@testable import RunnelDBus

/// A service of notifications that a test serves on its bus.
final class NotificationService {
  let log: EventLog<String>
  let invoked = PushStream<(UInt32, String)>()
  let closed = PushStream<(UInt32, UInt32)>()
  var abilities = ["actions", "body", "body-markup"]
  /// The answers to `Notify` wait until they are called, if true.
  var isSlow = false
  var waiting: [() -> Void] = []
  private var count: UInt32 = 0

  init(_ log: EventLog<String>) {
    self.log = log
  }

  var interface: BusInterface {
    var interface = BusInterface(DesktopNotifications.service)
    interface.method("GetCapabilities", returning: "capabilities") {
      [unowned self] () throws(BusError) in abilities
    }
    interface.method(
      "Notify", "app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints",
      "expire_timeout", returning: "id",
      later: {
        [unowned self]
        (
          program: String, replaced: UInt32, icon: String, title: String, text: String,
          actions: [String], hints: [String: Variant], duration: Int32
        ) throws(BusError) in
        if title == "refused" { throw .other(name: "org.example.Full", text: "no room") }
        let hints = hints.map { "\($0.key)=\($0.value.content)" }.sorted()
        log.add(
          "\(program) \(replaced) \(icon) \(title) \(text) \(actions) \(hints) \(duration)")
        if replaced == 0 { count += 1 }
        let number = replaced == 0 ? count : replaced
        guard isSlow else { return Single<UInt32, BusError>.just(number) }
        return Single { finish in
          self.waiting.append { finish(.success(number)) }
          return .none
        }
      })
    interface.method("CloseNotification", "id") {
      [unowned self] (number: UInt32) throws(BusError) in
      log.add("close \(number)")
      closed.next((number, 3))
    }
    interface.signal("ActionInvoked", values: ["id", "action_key"], invoked.stream)
    interface.signal("NotificationClosed", values: ["id", "reason"], closed.stream)
    return interface
  }
}

/// A service of notifications, and a program that shows some, for ``withNotifications(_:)``.
struct NotificationStage {
  let bus: PrivateBus
  /// The calls of the service.
  let log: EventLog<String>
  /// The events of the program.
  let events = EventLog<String>()
  let service: Confined<NotificationService?>
  let server: Confined<BusConnection?>
  let notifications: Confined<DesktopNotifications?>

  /// Shows a notification, and returns what withdraws it.
  func show(_ contents: DesktopNotification) -> Confined<Disposable> {
    let shown = Confined(Disposable.none)
    bus.loop.wait {
      shown.value = observe(notifications.value?.show(contents))
    }
    return shown
  }

  /// Logs the events of a stream.
  func observe(_ stream: EventStream<DesktopNotificationEvent, BusError>?) -> Disposable {
    guard let stream else { return .none }
    return stream.observe(
      next: { [events] in events.add("\($0)") }, failed: { [events] in events.add("failed \($0)") },
      completed: { [events] in events.add("completed") })
  }
}

func withNotifications(_ body: @escaping @Sendable (NotificationStage) -> Void) async {
  await withBus { bus in
    let stage = NotificationStage(
      bus: bus, log: EventLog(), service: Confined(nil), server: bus.connect(),
      notifications: Confined(nil))
    let client = bus.connect()
    let names = EventLog<NameState>()
    let naming = Confined(Disposable.none)
    bus.loop.wait {
      guard let server = stage.server.value, let client = client.value else { return }
      let service = NotificationService(stage.log)
      stage.service.value = service
      server.export(service.interface, at: DesktopNotifications.path)
      naming.value = server.name(DesktopNotifications.service).observe(next: { names.add($0) })
      stage.notifications.value = DesktopNotifications(
        of: "Notes", desktopEntry: "org.example.Notes", on: client)
    }
    names.wait(for: 1)
    body(stage)
    bus.loop.wait {
      naming.value.dispose()
      stage.notifications.value = nil
      stage.server.value = nil
      stage.service.value = nil
      client.value = nil
    }
  }
}
