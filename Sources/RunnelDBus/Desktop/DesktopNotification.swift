/// A notification for ``DesktopNotifications``.
///
///     var saved = DesktopNotification("Conflict", text: "Another device has changed the note.")
///     saved.actions = [.init("open", "Open")]
public struct DesktopNotification: Hashable, Sendable {
  /// The importance of a notification.
  public enum Urgency: UInt8, Hashable, Sendable {
    /// May be shown later, or in a list only.
    case low = 0
    /// The usual one.
    case normal = 1
    /// Is shown until the user closes it.
    case critical = 2
  }

  /// A button of a notification.
  public struct Action: Hashable, Sendable {
    /// The key of the action that a click on the notification itself performs.
    public static let defaultKey = "default"

    /// The key in ``DesktopNotificationEvent/invoked(_:)``.
    public let key: String
    /// The text of the button.
    public let label: String

    /// Creates an action.
    public init(_ key: String, _ label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The title, in one line.
  public var title: String
  /// The text. It may have several lines, and no markup.
  public var text: String
  /// The name of an icon in the theme, or the path of a picture.
  public var icon: String
  /// The importance.
  public var urgency = Urgency.normal
  /// The buttons. A service without buttons does not show them.
  public var actions: [Action] = []
  /// The time until the notification is closed: nil leaves it to the service, and zero means never. It is
  /// rounded to milliseconds.
  public var duration: Duration?
  /// True if the notification is not kept in a list after it was shown.
  public var isTransient = false
  /// Further hints of the specification, such as `"category"`.
  public var hints: [String: Variant] = [:]

  /// Creates a notification.
  public init(_ title: String, text: String = "", icon: String = "") {
    self.title = title
    self.text = text
    self.icon = icon
  }
}

/// An event of a notification.
public enum DesktopNotificationEvent: Hashable, Sendable {
  /// The reason why a notification is no longer shown.
  public enum Reason: Hashable, Sendable {
    /// Its time is over.
    case expired
    /// The user has closed it.
    case dismissed
    /// A program has closed it.
    case withdrawn
    /// The service has ended.
    case serviceEnded
    /// The service does not say.
    case unknown
  }

  /// The service has taken the notification, or its replacement.
  case shown
  /// The user has chosen the action with this key.
  case invoked(String)
  /// The notification is no longer shown.
  case closed(Reason)
}
