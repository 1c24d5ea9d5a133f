import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ApplicationTests {
  /// Logs every call from an application and its windows.
  private final class Delegate: ApplicationDelegate, WindowDelegate {
    let log = Log()
    var mayEnd = true
    var mayClose = true
    var onCall: (String) -> Void = { _ in }

    func record(_ what: String) {
      log.add(what)
      onCall(what)
    }

    func applicationDidStart(_ application: Application) { record("started") }
    func applicationDidBecomeActive(_ application: Application) { record("active") }
    func applicationDidResignActive(_ application: Application) { record("inactive") }
    func applicationShouldTerminate(_ application: Application) -> Bool {
      record("may it end?")
      return mayEnd
    }
    func applicationWillTerminate(_ application: Application) { record("ends") }

    func windowDidBecomeKey(_ window: Window) { record("\(window.title) is key") }
    func windowDidResignKey(_ window: Window) { record("\(window.title) is not key") }
    func windowShouldClose(_ window: Window) -> Bool {
      record("may \(window.title) close?")
      return mayClose
    }
    func windowWillClose(_ window: Window) { record("\(window.title) closes") }
  }

  private let backend = HeadlessBackend(Size(width: 20, height: 4))
  private let delegate = Delegate()
  private let application: Application

  init() {
    application = Application(backend: backend)
    application.delegate = delegate
  }

  private func window(_ title: String, _ style: Window.Style = .full) -> Window {
    let window = Window(title: title, style: style, content: Label(title))
    window.delegate = delegate
    return window
  }

  // MARK: Windows

  @Test func startsWithItsFirstWindow() {
    application.needsDisplay()
    backend.type("x")
    application.terminate()
    #expect(delegate.log.entries.isEmpty)
    let first = window("A")
    application.show(first)
    application.show(first)
    #expect(delegate.log.entries == ["started", "A is key"])
    #expect(backend.text.hasPrefix("A"))
  }

  @Test func keysGoToTheFrontWindow() {
    let (first, second) = (window("A"), window("B"))
    application.show(first)
    application.show(second)
    #expect(application.keyWindow === second)
    #expect(second.isKey && !first.isKey)
    application.show(first)
    #expect(application.windows.map(\.title) == ["B", "A"])
    _ = delegate.log.take()
    first.close()
    #expect(delegate.log.take() == ["may A close?", "A is not key", "B is key", "A closes"])
    #expect(first.application == nil)
    first.close()
    #expect(delegate.log.take() == [])
  }

  @Test func aWindowMayRefuseToClose() {
    let (first, second) = (window("A"), window("B"))
    application.show(first)
    application.show(second)
    delegate.mayClose = false
    second.close()
    #expect(application.windows.count == 2)
    second.rDelegate.answer(\.windowShouldClose) { _ in true }
    second.close()
    #expect(application.windows.count == 1)
  }

  @Test func endsWithTheLastWindowWhenOthersCloseMeanwhile() {
    let (first, second) = (window("A"), window("B"))
    application.show(first)
    application.show(second)
    second.rDelegate.answer(\.windowShouldClose) { _ in
      if first.application != nil { first.close() }
      return true
    }
    second.close()
    #expect(application.isTerminated)
  }

  @Test func windowsMayBeShownInsideDidResignKey() {
    let windows = ["A", "B", "C"].map { window($0) }
    application.show(windows[0])
    delegate.onCall = { [application] in
      if $0 == "A is not key" { application.show(windows[2]) }
    }
    _ = delegate.log.take()
    application.show(windows[1])
    #expect(delegate.log.take() == ["A is not key", "C is key"])
    delegate.onCall = { [application] in
      if $0 == "B is key" { application.show(windows[0]) }
    }
    application.show(windows[1])
    #expect(delegate.log.take() == ["C is not key", "B is key", "B is not key", "A is key"])
  }

  @Test func aWindowMayCloseItselfInDidBecomeKey() {
    let first = window("A")
    delegate.onCall = { if $0 == "A is key" { first.close() } }
    application.show(first)
    #expect(application.isTerminated)
    #expect(application.windows.isEmpty)
  }

  @Test func oneWindowInTwoApplicationsTraps() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let window = Window()
        let first = Application(backend: HeadlessBackend(.zero))
        let second = Application(backend: HeadlessBackend(.zero))
        first.show(window)
        second.show(window)
      }
    }
  }

  // MARK: Termination

  @Test func endsWithItsLastWindow() {
    let terminated = application.rx.terminated.record()
    let first = window("A")
    application.show(first)
    _ = delegate.log.take()
    first.close()
    #expect(
      delegate.log.take() == ["may it end?", "may A close?", "ends", "A closes", "A is not key"])
    #expect(application.isTerminated)
    #expect(terminated.elements.count == 1 && terminated.isCompleted)
    #expect(application.rx.terminated.record().elements.count == 1)
    application.show(first)
    #expect(application.windows.isEmpty)
    #expect(backend.text == "\n\n\n")
  }

  @Test func itsDelegateMayRefuseTermination() {
    let first = window("A")
    application.show(first)
    delegate.mayEnd = false
    first.close()
    application.terminate()
    #expect(!application.isTerminated)
    #expect(application.windows.count == 1)
    backend.type("x")
    application.rDelegate.answer(\.applicationShouldTerminate) { _ in true }
    application.terminate()
    #expect(application.isTerminated)
  }

  @Test func aWindowMayRefuseTermination() {
    for title in ["A", "B"] { application.show(window(title)) }
    delegate.mayClose = false
    application.terminate()
    #expect(application.windows.count == 2)
    #expect(delegate.log.entries.suffix(2) == ["may it end?", "may B close?"])
    application.end()
    #expect(application.isTerminated)
    #expect(application.windows.isEmpty)
  }

  @Test func aRefusingDelegateMayEndTheApplication() {
    application.show(window("A"))
    delegate.onCall = { [application] in if $0 == "may it end?" { application.terminate() } }
    delegate.mayEnd = false
    application.terminate()
    #expect(!application.isTerminated)
    delegate.onCall = { [application] in if $0 == "may it end?" { application.end() } }
    application.terminate()
    #expect(application.isTerminated)
  }

  @Test func aRefusingDelegateMayShowAnotherWindow() {
    application.show(window("A"))
    let second = window("B", .dialog)
    delegate.mayEnd = false
    delegate.onCall = { [application] in if $0 == "may it end?" { application.show(second) } }
    application.terminate()
    #expect(application.keyWindow === second)
    #expect(backend.text.contains("─ B ─"))
  }

  @Test func noWindowIsShownDuringTermination() {
    application.show(window("A"))
    delegate.onCall = { [application, self] in
      if $0 == "ends" { application.show(window("B")) }
    }
    application.terminate()
    #expect(application.windows.isEmpty)
  }

  @Test func itsStreamsReceiveDelegateCalls() {
    let ends = application.rDelegate.stream(\.applicationWillTerminate).record()
    application.show(window("A"))
    application.terminate()
    #expect(ends.elements.count == 1)
    #expect(delegate.log.entries.contains("ends"))
  }

  // MARK: Activity

  @Test func reportsKeyboardFocusChanges() {
    application.show(window("A"))
    _ = delegate.log.take()
    backend.send(.focus(true))
    backend.send(.focus(false))
    #expect(!application.isActive)
    backend.send(.focus(false))
    backend.send(.focus(true))
    #expect(delegate.log.take() == ["inactive", "active"])
  }

  // MARK: Quitting

  /// The first sample of the guide, on a headless screen.
  @Test func theFirstSampleOfTheGuideCanQuit() {
    let name = TextField(placeholder: "Your name")
    let greet = Button("Greet")
    let content = StackView(.vertical, [name, greet, Label(), View()])
    let window = Window(title: "Greeter", content: content)
    window.makeFirstResponder(name)
    let backend = HeadlessBackend(Size(width: 80, height: 24))
    let application = Application(backend: backend)
    application.show(window)
    #expect(backend.grid.lines.last?.hasSuffix("Ctrl+Q quits") == true)
    backend.press("ctrl+q")
    #expect(application.isTerminated)
  }

  /// Covers every control, an open menu, and an alert.
  @Test(arguments: 0..<6)
  func quitsWithAnyFocus(_ number: Int) {
    let views = [TextField(), TextView(), TableView(), Button("OK"), View(), View()]
    let window = Window(content: views[number])
    window.menuBar = MenuBar([Menu("Edit", [MenuItem("Copy")])])
    application.show(window)
    window.makeFirstResponder(views[number])
    if number == 4 { backend.press("f10") }
    if number == 5 { Alert("Why?").ask(in: application).observe(succeeded: { _ in }) }
    delegate.mayEnd = false
    backend.press("ctrl+q")
    #expect(!application.isTerminated)
    #expect(delegate.log.take().contains("may it end?"))
    delegate.mayEnd = true
    backend.press("ctrl+q")
    #expect(application.isTerminated)
  }

  @Test func theQuitKeyIsAKeyBinding() {
    let bar = StatusBar()
    let window = Window(content: bar)
    application.show(window)
    #expect(application.quitHint == "Ctrl+Q quits" && backend.text.contains("Ctrl+Q quits"))
    application.keyBindings["ctrl+q"] = nil
    #expect(application.quitHint == nil && !backend.text.contains("quits"))
    backend.press("ctrl+q")
    #expect(!application.isTerminated)
    application.keyBindings["f4"] = .quit
    #expect(backend.text.contains("F4 quits"))
    bar.text = "ready"
    #expect(!backend.text.contains("quits"))
    backend.press("f4")
    #expect(application.isTerminated)
  }

  @Test func aMenuItemWithTheQuitKeyTakesPrecedence() {
    let item = MenuItem("Query", key: "ctrl+q")
    let activations = item.rx.activate.stream.record()
    let window = window("A")
    window.menuBar = MenuBar([Menu("Edit", [item])])
    application.show(window)
    backend.press("ctrl+q")
    #expect(activations.elements.count == 1 && !application.isTerminated)
  }

  // MARK: Release

  /// A view reads the application's windows when it is released with them.
  @Test func windowsAreReleasedAfterTheirRemoval() {
    var count = 9
    func release(_ application: Application?) { count = application?.windows.count ?? 9 }
    application.show(Window(content: ReleasingView { [weak application] in release(application) }))
    application.end()
    #expect(count == 0)
  }
}
