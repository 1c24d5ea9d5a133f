import RunnelProxies
import RunnelStreams

/// What an application does when something happens to all of it.
@Proxied
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Its first window is shown.
  @Default func applicationDidStart(_ application: Application)
  /// What the person types goes to it, from now on.
  @Default func applicationDidBecomeActive(_ application: Application)
  /// What the person types goes elsewhere, from now on.
  @Default func applicationDidResignActive(_ application: Application)
  /// Whether it may end.
  @Default(true) func applicationShouldTerminate(_ application: Application) -> Bool
  /// It ends: the last chance to save.
  @Default func applicationWillTerminate(_ application: Application)
}

/// Windows that a backend shows to a person, and what all of them share.
///
///     let application = Application(backend: HeadlessBackend(Size(width: 80, height: 24)))
///     application.show(window)
///     application.rx.terminated.observeNext { print("ended") }
@MainActor
public final class Application: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// Who is told and asked what happens to it.
  public weak var delegate: (any ApplicationDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: ApplicationDelegateProxy { proxy(for: \.delegate) }

  /// What shows it.
  public let backend: any Backend

  /// The clock that tells two clicks from a double one.
  public let scheduler: any Scheduler

  /// Which key means what, where text or a selection is. Ctrl+Q quits, unless another key is bound to
  /// ``Command/quit``.
  public var keyBindings = KeyBindings.standard { didSet { needsDisplay() } }

  /// A sentence that says which key quits, such as "Ctrl+Q quits"; nil if ``keyBindings`` have none.
  ///
  /// A ``StatusBar`` without a text says so, and on screens of cells an empty last row does.
  public var quitHint: String? { keyBindings.key(for: .quit).map { "\($0.label) quits" } }

  /// How it looks, on backends that leave it to applications.
  public var theme = Theme.standard { didSet { needsDisplay() } }

  /// The windows, from the back to the front.
  public private(set) var windows: [Window] = []

  /// Whether what the person types goes to it.
  public private(set) var isActive = true

  private var phase = Phase.made
  private let pointer = Pointer()
  /// The window that was last told that keys go to it.
  private weak var toldWindow: Window?
  let ended = ReplayStream<Void, Never>(capacity: 1)

  private enum Phase {
    /// Nothing is shown yet.
    case made
    /// The backend shows it.
    case running
    /// As before; and its delegate, and those of its windows, are asked whether it may end.
    case asked
    /// It has ended.
    case terminated
  }

  /// An application without a window.
  public init(backend: any Backend, scheduler: (any Scheduler)? = nil) {
    self.backend = backend
    self.scheduler = scheduler ?? Current.scheduler
  }

  // MARK: - Windows

  /// The window that keys go to: the one in front.
  public var keyWindow: Window? { windows.last }

  /// Shows a window in front of the others. The first one starts the application.
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
    if isFirst { delegate?.applicationDidStart(self) }
    keyWindowChanged()
  }

  /// Takes a window away that is not the last one.
  func remove(_ window: Window) {
    windows = windows.filter { $0 !== window }
    window.application = nil
    keyWindowChanged()
  }

  private func keyWindowChanged() {
    needsDisplay()
    guard toldWindow !== keyWindow else { return }
    if let former = toldWindow {
      toldWindow = nil
      former.tellDidResignKey()
    }
    // Who was told may have shown another window, which has heard of it then.
    guard toldWindow == nil, let keyWindow else { return }
    toldWindow = keyWindow
    keyWindow.tellDidBecomeKey()
  }

  /// Says that something looks different now.
  public func needsDisplay() {
    if isRunning { backend.needsDisplay() }
  }

  // MARK: - The end

  /// Ends it, if its delegate and those of its windows agree. Closing the last window does this, too.
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

  /// Ends it, and asks nobody: for when there is no screen any more.
  public func end() {
    guard isRunning else { return }
    phase = .terminated
    delegate?.applicationWillTerminate(self)
    for window in windows.reversed() { window.delegate?.windowWillClose(window) }
    let windows = windows
    for window in windows { window.application = nil }
    // They are released at the end, when nothing of the application is being changed.
    defer { withExtendedLifetime(windows) {} }
    self.windows = []
    keyWindowChanged()
    backend.stop()
    ended.next(())
    ended.completed()
  }

  /// Whether it has ended.
  public var isTerminated: Bool { phase == .terminated }

  private var isRunning: Bool { phase == .running || phase == .asked }

  // MARK: - What a person does

  /// Takes what a person does, from a backend that has nothing but keys and a mouse.
  public func handle(_ event: InputEvent) {
    guard isRunning else { return }
    switch event {
    case .key(let press): keyWindow?.keyDown(press)
    case .paste(let text): keyWindow?.paste(text)
    case .mouse(let event): pointer.handle(event, in: self)
    case .resize: needsDisplay()
    case .focus(let isActive): setActive(isActive)
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

extension Reactive where Base: Application {
  /// Sends one element when the application has ended, and completes.
  @MainActor public var terminated: EventStream<Void, Never> { base.ended.stream }
}
