import RunnelProxies
import RunnelStreams

/// A delegate that can refuse an answer to an alert, and is notified when the alert closes.
@Proxied
@MainActor
public protocol AlertDelegate: AnyObject {
  /// Returns true if the alert may close with this answer. Return false if the input in the
  /// accessory view is invalid.
  @Default(true) func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool
  /// Called when the alert closes. `button` is nil if it closes without an answer.
  @Default func alert(_ alert: Alert, didCloseWith button: AlertButton?)
}

/// A modal question, which the user must answer before the work continues.
///
///     let alert = Alert("Delete the note?", message: "It goes to the trash.")
///     alert.buttons = [.cancel("Keep"), .destructive("Delete")]
///     alert.ask(in: application).observe(succeeded: { button in
///       if button?.role == .destructive { print("deleted") }
///     })
///
/// Return gives the default answer. Esc gives the cancel answer, or the only answer. Tab and the
/// arrow keys move between the buttons.
@MainActor
public final class Alert: ProxyHost {
  /// The store of the alert's proxies.
  public let proxies = ProxyStore()

  /// The object that is asked and notified when the user answers.
  public weak var delegate: (any AlertDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: AlertDelegateProxy { proxy(for: \.delegate) }

  /// The question, shown as the title of the window.
  public var title: String
  /// The message below the question. It may be changed while the alert is shown.
  public var message: String { didSet { view?.message.text = message } }
  /// The answers, from left to right.
  public var buttons: [AlertButton]
  /// A view between the message and the buttons, such as a text field. It gets the focus. A text
  /// that may be longer than the screen is shown in a ``ScrollView`` with
  /// ``ScrollView/fitsContent``; the page keys scroll it.
  public var accessory: View? {
    // The old view is released after the assignment.
    didSet { withExtendedLifetime(oldValue) {} }
  }

  private weak var view: AlertView?

  /// Creates an alert. By default it has one button, OK.
  public init(_ title: String, message: String = "", buttons: [AlertButton] = [.default("OK")]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// Shows the alert with its present content, and sends the answer. Completes without an answer if
  /// the alert is closed in another way or the application has ended.
  ///
  /// *Disposal*: closes the alert.
  public func ask(in application: Application) -> Maybe<AlertButton, Never> {
    Maybe { finish in
      let view = AlertView(self) { finish(.success($0)) }
      self.view = view
      let window = Window(title: self.title, style: .dialog, content: view)
      view.present(window, in: application)
      return Disposable { [weak window] in window?.close() }
    }
  }
}

extension Window {
  /// The alert that the window shows; nil for a window without one.
  package var alert: Alert? { (content as? AlertView)?.alert }
}
