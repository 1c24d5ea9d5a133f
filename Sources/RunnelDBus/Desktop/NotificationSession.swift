import RunnelStreams

/// A notification that is shown for one observation of ``DesktopNotifications/show(_:)``.
final class NotificationSession {
  private enum Phase {
    /// Nothing is shown, and no call is under way.
    case idle
    /// A call is under way: the contents, or the question for the abilities.
    case sending
    /// The service shows the notification with the number.
    case shown
    /// The notification is closed or withdrawn.
    case ended
  }

  private let notifications: DesktopNotifications
  private let observer: Observer<DesktopNotificationEvent, BusError>
  private var phase = Phase.idle
  /// The number that the service has chosen; 0 before.
  private var number: UInt32 = 0
  /// The latest contents that wait for the end of a call.
  private var waiting: DesktopNotification?
  /// The abilities of the service, when they are known.
  private var abilities: Set<String>?
  private var observations: [Disposable] = []

  init(
    _ notifications: DesktopNotifications,
    _ observer: Observer<DesktopNotificationEvent, BusError>
  ) {
    self.notifications = notifications
    self.observer = observer
  }

  func start(_ contents: EventStream<DesktopNotification, Never>) {
    // Before the first call, so that no signal is missed.
    observe(notifications.signals("ActionInvoked")) { session, signal in
      guard let (number, key) = try? signal.body.values(as: UInt32.self, String.self) else {
        return
      }
      if session.isShown(number) { session.observer.next(.invoked(key)) }
    }
    observe(notifications.signals("NotificationClosed")) { session, signal in
      guard let (number, code) = try? signal.body.values(as: UInt32.self, UInt32.self) else {
        return
      }
      if session.isShown(number) { session.close(.init(code: code)) }
    }
    var owner: String?
    keep(
      notifications.state.observeNext { [weak self] state in
        if let last = owner, state.owner != last { self?.serviceEnded() }
        owner = state.owner
      })
    keep(contents.observeNext { [weak self] in self?.show($0) })
  }

  /// Ends the session. What is shown, or is about to be, is closed.
  func withdraw() {
    guard phase != .ended else { return }
    let wasShown = phase == .shown
    end()
    if wasShown { closeNumber() }
  }

  // MARK: - Contents

  private func show(_ contents: DesktopNotification) {
    switch phase {
    case .idle, .shown: send(contents)
    case .sending: waiting = contents
    case .ended: break
    }
  }

  private func send(_ contents: DesktopNotification) {
    phase = .sending
    if let abilities {
      notify(contents, abilities)
      return
    }
    call("GetCapabilities", { _ in }) { session, body throws(BusError) in
      let abilities = Set(try body.value(as: [String].self))
      session.abilities = abilities
      guard session.phase == .sending else { return }
      session.notify(exchange(&session.waiting, with: nil) ?? contents, abilities)
    }
  }

  private func notify(_ contents: DesktopNotification, _ abilities: Set<String>) {
    let (program, entry, number) = (notifications.program, notifications.desktopEntry, number)
    call(
      "Notify",
      { writer throws(BusError) in
        try program.write(to: writer)
        try number.write(to: writer)
        try contents.icon.write(to: writer)
        try contents.title.write(to: writer)
        try contents.writtenText(abilities).write(to: writer)
        try contents.writtenActions(abilities).write(to: writer)
        try contents.writtenHints(entry).write(to: writer)
        try contents.milliseconds.write(to: writer)
      }
    ) { session, body throws(BusError) in
      session.number = try body.value(as: UInt32.self)
      session.wasShown()
    }
  }

  private func wasShown() {
    guard phase == .sending else {
      // It was withdrawn meanwhile.
      closeNumber()
      return
    }
    phase = .shown
    observer.next(.shown)
    guard phase == .shown, let next = exchange(&waiting, with: nil) else { return }
    send(next)
  }

  /// Calls a method of the service. The call goes on when the session ends, because a notification that is
  /// about to be shown can be closed only when its number is known.
  private func call(
    _ name: String, _ writing: @escaping (BusWriter) throws(BusError) -> Void,
    _ receive: @escaping (NotificationSession, BusBody) throws(BusError) -> Void
  ) {
    notifications.bus.call(notifications.method(name), writing: writing).observe(
      succeeded: { body in
        do throws(BusError) {
          try receive(self, body)
        } catch {
          self.fail(error)
        }
      },
      failed: { error in self.fail(error) })
  }

  // MARK: - The end

  private func isShown(_ number: UInt32) -> Bool {
    self.number == number && number != 0 && phase != .ended
  }

  private func serviceEnded() {
    // A call that is under way fails itself.
    if phase == .shown { close(.serviceEnded) }
  }

  private func close(_ reason: DesktopNotificationEvent.Reason) {
    end()
    observer.next(.closed(reason))
    observer.completed()
  }

  private func fail(_ error: BusError) {
    guard phase != .ended else { return }
    end()
    observer.failed(error)
  }

  private func end() {
    phase = .ended
    waiting = nil
    for observation in exchange(&observations, with: []) { observation.dispose() }
  }

  /// Closes the notification at the service. Without the service nothing is shown.
  private func closeNumber() {
    let close = notifications.method("CloseNotification")
    notifications.bus.call(close, startsService: false, with: number).observe(failed: { _ in })
  }

  // MARK: - Observations

  private func observe(
    _ signals: EventStream<BusSignal, BusError>,
    _ receive: @escaping (NotificationSession, BusSignal) -> Void
  ) {
    keep(
      signals.observe(
        next: { [weak self] signal in if let self { receive(self, signal) } },
        failed: { [weak self] error in self?.fail(error) }))
  }

  /// Keeps an observation until the end, which can have come meanwhile.
  private func keep(_ observation: Disposable) {
    if phase == .ended { observation.dispose() } else { observations.append(observation) }
  }
}

extension DesktopNotificationEvent.Reason {
  /// The reason with a number of the specification.
  fileprivate init(code: UInt32) {
    switch code {
    case 1: self = .expired
    case 2: self = .dismissed
    case 3: self = .withdrawn
    default: self = .unknown
    }
  }
}

extension DesktopNotification {
  /// The text for a service that reads markup, or does not.
  fileprivate func writtenText(_ abilities: Set<String>) -> String {
    guard abilities.contains("body-markup") else { return text }
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Keys and labels in turn.
  fileprivate func writtenActions(_ abilities: Set<String>) -> [String] {
    abilities.contains("actions") ? actions.flatMap { [$0.key, $0.label] } : []
  }

  fileprivate func writtenHints(_ entry: String?) -> [String: Variant] {
    var all = hints
    all["urgency"] = Variant(urgency.rawValue)
    if isTransient { all["transient"] = Variant(true) }
    if let entry { all["desktop-entry"] = Variant(entry) }
    return all
  }

  /// The time limit for the service: -1 is its own, and 0 is none.
  fileprivate var milliseconds: Int32 {
    guard let duration else { return -1 }
    let (seconds, attoseconds) = duration.components
    if seconds >= Int64(Int32.max) / 1_000 { return .max }
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    // A short time is not the special zero.
    return duration <= .zero ? 0 : max(1, Int32(clamping: milliseconds))
  }
}
