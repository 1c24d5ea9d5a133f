import RunnelProxies
import RunnelStreams

/// The delegate of an ``Application``, which is notified of changes and can veto termination.
@Proxied
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Called after the application shows its first window.
  @Default func applicationDidStart(_ application: Application)
  /// Called when the application begins to receive keyboard input.
  @Default func applicationDidBecomeActive(_ application: Application)
  /// Called when the application stops receiving keyboard input.
  @Default func applicationDidResignActive(_ application: Application)
  /// Returns true if the application may terminate.
  @Default(true) func applicationShouldTerminate(_ application: Application) -> Bool
  /// Called just before the application ends: the last chance to save.
  @Default func applicationWillTerminate(_ application: Application)
}

/// A set of windows shown by a backend, and the settings that they share.
///
///     let application = Application(backend: HeadlessBackend(Size(width: 80, height: 24)))
///     application.show(window)
///     application.rx.terminated.observeNext { print("ended") }
@MainActor
public final class Application: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// The delegate that receives the application's notifications.
  public weak var delegate: (any ApplicationDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: ApplicationDelegateProxy { proxy(for: \.delegate) }

  /// The backend that displays the application.
  public let backend: any Backend

  /// The clock that measures the time between clicks, to recognise double clicks.
  public let scheduler: any Scheduler

  /// The commands that keys stand for in text and lists. Ctrl+Q quits, unless another key is bound
  /// to ``Command/quit``.
  public var keyBindings = KeyBindings.standard {
    didSet {
      for window in windows { window.currentPress = nil }
      needsDisplay()
    }
  }

  /// The keys that open the context menu of the focused view.
  public var contextMenuKeys: Set<KeyPress> = [KeyPress(.function(10), .shift), KeyPress(.menu)]

  /// A text that names the key that quits, such as "Ctrl+Q quits"; nil if no key is bound to it.
  ///
  /// A ``StatusBar`` without text shows it. Cell-based backends also show it in an empty last row.
  public var quitHint: String? { keyBindings.key(for: .quit).map { "\($0.label) quits" } }

  /// The styles that cell-based backends draw with.
  public var theme = Theme.standard { didSet { needsDisplay() } }

  /// The windows, from the back to the front.
  public private(set) var windows: [Window] = []

  /// True while the application receives keyboard input.
  public private(set) var isActive = true

  private var phase = Phase.made
  private let pointer = Pointer()
  let toolTips = ToolTips()
  package private(set) lazy var toasts = ToastQueue(scheduler) { [weak self] in self?.needsDisplay()
  }
  /// The window that was last informed that it became the key window.
  private weak var notifiedKeyWindow: Window?
  let ended = ReplayStream<Void, Never>(capacity: 1)

  private enum Phase {
    /// No window is shown yet.
    case made
    /// The backend shows the application.
    case running
    /// Still running, while the delegates are asked whether the application may terminate.
    case asked
    /// The application has ended.
    case terminated
  }

  /// Creates an application without windows.
  public init(backend: any Backend, scheduler: (any Scheduler)? = nil) {
    self.backend = backend
    self.scheduler = scheduler ?? Current.scheduler
  }

  // MARK: - Windows

  /// The frontmost window, which receives key presses.
  public var keyWindow: Window? { windows.last }

  /// Shows a window in front of the others. Showing the first window starts the application.
  public func show(_ window: Window) {
    precondition(
      window.application == nil || window.application === self,
      "Another application shows the window. Close it there first.")
    guard phase != .terminated, windows.last !== window else { return }
    windows = windows.filter { $0 !== window } + [window]
    window.application = self
    let isFirst = phase == .made
    if isFirst {
      phase = .running
      backend.start(self)
    }
    window.availabilityChanged()
    // Keys typed into a dialog must have an effect.
    if window.style == .dialog && window.firstResponder == nil { window.moveFocus(forward: true) }
    if isFirst && phase == .running { delegate?.applicationDidStart(self) }
    keyWindowChanged()
  }

  /// Removes a window that is not the last one.
  func remove(_ window: Window) {
    windows = windows.filter { $0 !== window }
    window.application = nil
    keyWindowChanged()
  }

  private func keyWindowChanged() {
    needsDisplay()
    guard notifiedKeyWindow !== keyWindow else { return }
    if let former = notifiedKeyWindow {
      notifiedKeyWindow = nil
      former.notifyDidResignKey()
    }
    // The delegate may have shown another window, which has been informed already.
    guard notifiedKeyWindow == nil, let keyWindow else { return }
    notifiedKeyWindow = keyWindow
    keyWindow.notifyDidBecomeKey()
  }

  /// Requests a redraw.
  public func needsDisplay() {
    if isRunning { backend.needsDisplay() }
  }

  // MARK: - Termination

  /// Ends the application if its delegate and the delegates of all windows agree.
  ///
  /// Closing the last window calls this method.
  public func terminate() {
    guard phase == .running else { return }
    phase = .asked
    let agrees =
      delegate?.applicationShouldTerminate(self) != false
      && windows.reversed().allSatisfy { $0.delegate?.windowShouldClose($0) != false }
    guard phase == .asked else { return }
    phase = .running
    if agrees { end() }
  }

  /// Ends the application without asking the delegates, for example because the screen is gone.
  public func end() {
    guard isRunning else { return }
    phase = .terminated
    toasts.removeAll()
    toolTips.hide(in: self)
    delegate?.applicationWillTerminate(self)
    for window in windows.reversed() { window.delegate?.windowWillClose(window) }
    let windows = windows
    for window in windows { window.application = nil }
    // Released last, when no state of the application is being changed.
    defer { withExtendedLifetime(windows) {} }
    self.windows = []
    keyWindowChanged()
    backend.stop()
    ended.next(())
    ended.completed()
  }

  /// True after the application has ended.
  public var isTerminated: Bool { phase == .terminated }

  private var isRunning: Bool { phase == .running || phase == .asked }

  // MARK: - Input

  /// Handles an event from a backend that reports raw keys and mouse events.
  public func handle(_ event: InputEvent) {
    guard isRunning else { return }
    switch event {
    case .key(let press):
      handleKey(press)
    case .text(let text): handleText(text)
    case .paste(let text):
      toolTips.hide(in: self)
      keyWindow?.paste(text)
    case .mouse(let event): handle(event, over: keyWindow?.view(at: event.position))
    case .resize:
      toolTips.hide(in: self)
      needsDisplay()
    case .focus(let isActive): setActive(isActive)
    }
  }

  /// Handles an event of the mouse over a view, which a backend has found by its widget.
  package func handle(_ event: MouseEvent, over view: View?) {
    guard isRunning else { return }
    toolTips.mouse(event, over: view, in: self)
    if !toasts.mouse(event) { pointer.handle(event, over: view, in: self) }
  }

  /// Returns true if a view, a menu or a binding has used the key press.
  @discardableResult
  package func handleKey(_ press: KeyPress) -> Bool {
    guard isRunning else { return false }
    toolTips.hide(in: self)
    return toasts.keyDown(press) || keyWindow?.keyDown(press) == true
  }

  /// Handles keys that type text. A text view takes a word at once, which is much faster.
  private func handleText(_ text: String) {
    toolTips.hide(in: self)
    // A binding or the toast may use one of the keys.
    let isPlain = toasts.current?.key?.text == nil && !keyBindings.bindsText
    for word in text.typedWords {
      if isPlain, keyWindow?.typeWord(word) == true { continue }
      for scalar in word.unicodeScalars {
        guard isRunning else { return }
        handleKey(KeyPress(.character(Character(scalar))))
      }
    }
  }

  private func setActive(_ isActive: Bool) {
    guard self.isActive != isActive else { return }
    self.isActive = isActive
    needsDisplay()
    if isActive {
      delegate?.applicationDidBecomeActive(self)
    } else {
      delegate?.applicationDidResignActive(self)
    }
  }
}

extension String {
  /// The words of the text, each with the spaces after it: the parts that are undone one by one.
  fileprivate var typedWords: [Substring] {
    var words: [Substring] = []
    var (start, index, wasSpace) = (startIndex, startIndex, false)
    while index < endIndex {
      let isSpace = unicodeScalars[index].properties.isWhitespace
      if wasSpace && !isSpace {
        words.append(self[start..<index])
        start = index
      }
      wasSpace = isSpace
      unicodeScalars.formIndex(after: &index)
    }
    return words + [self[start...]]
  }
}

extension Reactive where Base: Application {
  /// Sends one element and completes when the application has ended.
  @MainActor public var terminated: EventStream<Void, Never> { base.ended.stream }
}
