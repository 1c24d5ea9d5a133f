import RunnelProxies
import RunnelStreams

/// What is asked and told when a question is answered.
@Proxied
@MainActor
public protocol AlertDelegate: AnyObject {
  /// Whether it may close with an answer: what stands in the accessory may be wrong.
  @Default(true) func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool
  /// It is closed; nil if that was no answer.
  @Default func alert(_ alert: Alert, didCloseWith button: AlertButton?)
}

/// A question in front of all, which has to be answered before the work goes on.
///
///     let alert = Alert("Delete the note?", message: "It goes to the trash.")
///     alert.buttons = [.cancel("Keep"), .destructive("Delete")]
///     alert.ask(in: application).observe(succeeded: { button in
///       if button?.role == .destructive { print("deleted") }
///     })
///
/// Return says the default answer, Esc that nothing is to be done, which a sole button does too; Tab and the
/// arrow keys go from one button to the next.
@MainActor
public final class Alert: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// Who is asked and told when it is answered.
  public weak var delegate: (any AlertDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: AlertDelegateProxy { proxy(for: \.delegate) }

  /// What stands above it: the question.
  public var title: String
  /// What is to be known, in words.
  public var message: String
  /// The answers, from left to right.
  public var buttons: [AlertButton]
  /// What stands between the message and the buttons, such as a text field. It gets the focus.
  public var accessory: View? {
    // The old view is released when the property has the new one.
    didSet { withExtendedLifetime(oldValue) {} }
  }

  /// A question. Where nothing else is said, there is one button, OK.
  public init(_ title: String, message: String = "", buttons: [AlertButton] = [.default("OK")]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// Shows it, as it is then, and sends the answer; nothing if it was closed otherwise, or the application
  /// ended.
  ///
  /// *Disposal*: closes it.
  public func ask(in application: Application) -> Maybe<AlertButton, Never> {
    Maybe { finish in
      let view = AlertView(self) { finish(.success($0)) }
      let window = Window(title: self.title, style: .dialog, content: view)
      view.present(window, in: application)
      return Disposable { [weak window] in window?.close() }
    }
  }
}
