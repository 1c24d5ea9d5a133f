import RunnelDesk
import RunnelStreams
import Testing

/// Scripts on an application with a button that counts its taps.
@MainActor
@Suite(.serialized) struct ScriptRunnerTests {
  private let application: Application
  private let runner: ScriptRunner
  private let backend = HeadlessBackend(Size(width: 20, height: 3))
  private let count = Label("0")

  init() {
    application = Application(backend: backend)
    runner = ScriptRunner(application, on: backend, folder: "/tmp")
    let more = Button("More")
    let count = count
    more.rx.tap.scan(0) { sum, _ in sum + 1 }.map { "\($0)" }.bind(to: count.rx.text)
    application.show(Window(content: StackView(.vertical, [count, more])))
  }

  private func run(
    _ text: String, _ change: (inout ScriptRunner) -> Void = { _ in }
  ) async throws {
    var runner = runner
    change(&runner)
    try await runner.run(try Script(text))
  }

  @Test func performsUserInput() async throws {
    try await run(
      """
      expect-screen
      |0
      |      [ More ]
      key tab enter
      type " "
      click More
      doubleclick More
      expect 5
      refuse 0
      """)
    #expect(count.text == "5")
  }

  @Test func aFailedExpectationReportsTheScreen() async {
    let expected = ScriptError(
      line: 2,
      """
      "9" is not on the screen.
      The screen shows:
      |0
      |      [ More ]
      |
      """)
    await #expect(throws: expected) {
      try await run("expect 0\nexpect 9") { $0.patience = .zero }
    }
  }

  @Test func expectWaitsForALaterChange() async throws {
    let later = EventStream<Void, Never>.timer(after: .milliseconds(3), on: Current.scheduler)
      .map { "later" }.bind(to: count.rx.text)
    try await run("expect later")
    later.dispose()
  }

  /// Work that follows from earlier steps or from other tasks.
  @Test func settleWaitsForAllWork() async throws {
    var left = 3
    try await run("settle\nexpect 3") {
      $0.work = { [count] in
        left -= 1
        if left == 0 { count.text = "3" }
      }
    }
  }

  /// Work queued on the main actor finishes without waiting for time to pass.
  @Test func settleWaitsForTheMainActor() async throws {
    Task { [count] in
      await Task.yield()
      count.text = "done"
    }
    try await run("settle\nexpect done") { $0.patience = .zero }
  }

  // MARK: The mouse

  /// Shows an editor of four lines in a window of three.
  private func editor() -> TextView {
    let editor = TextView("one two\nthree four\nfive\nsix")
    application.show(Window(content: editor))
    return editor
  }

  @Test func dragSelectsText() async throws {
    let editor = editor()
    try await run("drag 4,0 5,1\nkey ctrl+c\nexpect-clipboard \"two\\nthree\"")
    // The drag starts and ends in the middle of visible texts.
    try await run("drag four two\nkey ctrl+c\nexpect-clipboard \"wo\\nthree fo\"")
    #expect(editor.isFirstResponder && editor.selection.head < editor.selection.anchor)
  }

  @Test func multipleClicksSelectMore() async throws {
    let editor = editor()
    try await run("doubleclick four\nkey ctrl+c\nexpect-clipboard four")
    try await run("tripleclick 8,0\nkey ctrl+c\nexpect-clipboard \"one two\\n\"")
    #expect(editor.isFirstResponder)
  }

  @Test func wheelScrolls() async throws {
    let editor = editor()
    try await run("refuse six\nwheel down 0,0\nexpect six\nrefuse one\nwheel up six\nexpect one")
    #expect(editor.top == .start)
  }

  // MARK: Errors

  @Test(arguments: [
    ("expect 0\n\nexpect 9", 3, "\"9\" is not on the screen."),
    ("refuse 0", 1, "\"0\" is on the screen."),
    ("click gone", 1, "\"gone\" is not on the screen."),
    ("doubleclick gone", 1, "\"gone\" is not on the screen."),
    ("drag More gone", 1, "\"gone\" is not on the screen."),
    ("# no step\nwheel up gone", 2, "\"gone\" is not on the screen."),
    ("expect-cursor 1,2", 1, "The cursor is not at (1, 2)."),
    ("expect-clipboard x", 1, "The text on the clipboard is not \"x\"."),
    ("expect-file none/none x", 1, "The text of none/none is not \"x\"."),
    ("expect-no-file /proc/version", 1, "/proc/version exists."),
    ("expect-screen\n|0\n|\n\n", 1, "The screen shows something else."),
    ("remove none", 1, "none cannot be removed: No such file or directory."),
    ("move none other", 1, "none cannot be moved to other: No such file or directory."),
    ("write /proc/none/x x", 1, "/proc/none/x cannot be written: No such file or directory."),
    (
      "write /proc/none/x x 2026-01-31", 1,
      "/proc/none/x~ cannot be written: No such file or directory."
    ),
    ("picture /proc/none/x", 1, "/proc/none/x cannot be written: No such file or directory."),
    ("settle\nexpect-end", 2, "The application has not ended."),
  ])
  func anErrorStatesLineAndReason(_ text: String, _ line: Int, _ message: String) async {
    let error = await #expect(throws: ScriptError.self) {
      try await run(text) { $0.patience = .zero }
    }
    #expect(error?.line == line)
    #expect(error?.message == message + "\nThe screen shows:\n|0\n|      [ More ]\n|")
  }

  @Test func advancePassesTimeToTheClosure() async throws {
    var passed = Duration.zero
    try await run("advance 1.5s\nadvance 1ms") { $0.advance = { passed += $0 } }
    #expect(passed == .milliseconds(1_501))
  }

  @Test func fileStepsWriteAndCheckFiles() async throws {
    let picture = backend.grid.svg.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    let name = "runnel-script-\(UInt64.random(in: 0 ... .max))"
    try await run(
      """
      expect-no-file \(name)
      write \(name) "a\\nä"
      expect-file \(name) "a\\nä"
      write \(name) "a\\nä" 2026-01-31
      expect-file \(name) "a\\nä"
      expect-no-file \(name)~
      move \(name) \(name)-2
      expect-no-file \(name)
      expect-file \(name)-2 "a\\nä"
      picture \(name)-2
      expect-file \(name)-2 "\(picture)"
      remove \(name)-2
      expect-no-file \(name)-2
      """)
    await #expect(throws: ScriptError.self) { try await run("remove \(name)") }
    await #expect(throws: ScriptError.self) { try await run("write /proc/none/x x") }
  }

  /// A backend whose window is hidden.
  private final class HiddenBackend: ScriptableBackend {
    let grid = Grid(Size(width: 5, height: 1))
    let picture: [UInt8] = []
    var clipboard = ""
    func start(_ application: Application) {}
    func needsDisplay() {}
    func send(_ event: InputEvent) {}
    func ring() {}
    func stop() {}
  }

  @Test func pictureOfAHiddenWindowIsAnError() async throws {
    let backend = HiddenBackend()
    let application = Application(backend: backend)
    let runner = ScriptRunner(application, on: backend, folder: "/tmp")
    let name = "runnel-picture-\(UInt64.random(in: 0 ... .max))"
    let error = await #expect(throws: ScriptError.self) {
      try await runner.run(try Script("picture \(name)"))
    }
    #expect(error?.message.hasPrefix("The window has not been drawn.") == true)
    try await runner.run(try Script("expect-no-file \(name)"))
  }

  @Test func expectEndChecksTermination() async throws {
    await #expect(throws: ScriptError.self) { try await run("expect-end") { $0.patience = .zero } }
    application.terminate()
    try await run("expect-end")
  }

  /// Only files may still change.
  @Test(.timeLimit(.minutes(1))) func waitingEndsWithTheApplication() async throws {
    application.terminate()
    for step in ["expect 9", "click 9", "expect-cursor 1,1", "expect-clipboard 9"] {
      await #expect(throws: ScriptError.self, "\(step)") {
        try await run(step) { $0.patience = .seconds(3_600) }
      }
    }
    try await run("expect-no-file runnel-\(UInt64.random(in: 0 ... .max))")
  }

  @Test func printsTheScreen() async throws {
    var printed: [String] = []
    try await run("screen") { $0.output = { printed.append($0) } }
    #expect(printed == ["0\n      [ More ]\n"])
  }
}
