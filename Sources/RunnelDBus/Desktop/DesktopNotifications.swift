import RunnelStreams

/// The notifications of the desktop.
///
///     let notifications = DesktopNotifications(of: "Notes", on: bus)
///     var note = DesktopNotification("Conflict", text: "Another device has changed the note.")
///     note.actions = [.init("open", "Open")]
///     notifications.show(note).observe(
///       next: { event in if event == .invoked("open") { show("the note") } },
///       failed: { error in show(error) })
///
/// It uses the service `org.freedesktop.Notifications`, which the bus starts if it can. Without one, showing
/// fails with ``BusError/serviceUnknown(_:)`` or ``BusError/serviceAbsent(_:)``.
public final class DesktopNotifications {
  static let service = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"

  let program: String
  let desktopEntry: String?
  let bus: BusConnection

  /// Creates a sender of notifications. Nothing is sent.
  ///
  /// - Parameters:
  ///   - program: The name that the user reads.
  ///   - desktopEntry: The name of the program's desktop file without `.desktop`.
  public init(of program: String, desktopEntry: String? = nil, on bus: BusConnection) {
    self.program = program
    self.desktopEntry = desktopEntry
    self.bus = bus
  }

  /// The state of the service.
  public var state: EventStream<ServiceState, Never> { bus.service(Self.service) }

  /// Shows a notification each time that the result is observed.
  ///
  /// *Events*: ``DesktopNotificationEvent/shown``, then what the user does. Completes after
  /// ``DesktopNotificationEvent/closed(_:)``.
  ///
  /// *Disposal*: withdraws the notification. Without an observation that is disposed, it stays until the
  /// service closes it.
  public func show(_ notification: DesktopNotification)
    -> EventStream<DesktopNotificationEvent, BusError>
  {
    show(.just(notification))
  }

  /// Shows a notification whose contents change, such as a progress: each element replaces the last one.
  ///
  /// *Events*: as for the form with one notification; ``DesktopNotificationEvent/shown`` after each
  /// replacement. While the service is being told one element, only the latest of the next ones is kept.
  ///
  /// *Disposal*: withdraws the notification.
  public func show(_ contents: EventStream<DesktopNotification, Never>)
    -> EventStream<DesktopNotificationEvent, BusError>
  {
    EventStream { observer in
      let session = NotificationSession(self, observer)
      session.start(contents)
      return Disposable { session.withdraw() }
    }
  }

  func method(_ name: String) -> BusMethod {
    BusMethod(name, of: Self.service, at: Self.path, from: Self.service)
  }

  func signals(_ name: String) -> EventStream<BusSignal, BusError> {
    bus.signals(SignalFilter(name, of: Self.service, at: Self.path, from: Self.service))
  }
}
