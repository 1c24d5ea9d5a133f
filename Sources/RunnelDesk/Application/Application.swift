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

  /// Which key means what, where text or a selection is.
  public var keyBindings = KeyBindings.standard

  /// How it looks, on backends that leave it to applications.
  public var theme = Theme.standard { didSet { needsDisplay() } }

  /// The windows, from the back to the front.
  public private(set) var windows: [Window] = []

  /// Whether what the person types goes to it.
  public private(set) var isActive = true

  private var phase = Phase.made
  private var pointer = Pointer()
  let ended = PushStream<Void>()

  private enum Phase {
    /// Nothing is shown yet.
    case made
    /// The backend shows it.
    case running
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
    guard phase != .terminated, windows.last !== window else { return }
    let former = keyWindow
    windows.removeAll { $0 === window }
    windows.append(window)
    window.application = self
    window.availabilityChanged()
    keyWindowChanged(from: former)
    if phase == .made {
      phase = .running
      backend.start(self)
      delegate?.applicationDidStart(self)
    }
  }

  /// Takes a window away. The application ends with its last one.
  func remove(_ window: Window) {
    guard windows.contains(where: { $0 === window }) else { return }
    let former = keyWindow
    windows.removeAll { $0 === window }
    pointer.forget(window)
    keyWindowChanged(from: former)
    window.application = nil
    if windows.isEmpty { terminate() }
  }

  private func keyWindowChanged(from former: Window?) {
    needsDisplay()
    guard former !== keyWindow else { return }
    former?.tellDidResignKey()
    keyWindow?.tellDidBecomeKey()
  }

  /// Says that something looks different now.
  public func needsDisplay() {
    if phase == .running { backend.needsDisplay() }
  }

  // MARK: - The end

  /// Ends it, if its delegate and those of its windows agree.
  public func terminate() {
    guard phase == .running else { return }
    if delegate?.applicationShouldTerminate(self) == false { return }
    guard phase == .running else { return }
    delegate?.applicationWillTerminate(self)
    guard phase == .running else { return }
    phase = .terminated
    backend.stop()
    ended.next(())
    ended.completed()
  }

  /// Whether it has ended.
  public var isTerminated: Bool { phase == .terminated }

  // MARK: - What a person does

  /// Takes what a person does, from a backend that has nothing but keys and a mouse.
  public func handle(_ event: InputEvent) {
    guard phase == .running else { return }
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
  @MainActor public var terminated: EventStream<Void, Never> {
    base.isTerminated ? .just(()) : base.ended.stream
  }
}
