import RunnelDesk
import RunnelStreams
import RunnelTerminal
import Testing

/// Scripts on an application with a button that counts how often it was pressed.
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

  @Test func doesWhatAPersonDoes() async throws {
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

  @Test func saysWhatIsNotAsExpected() async {
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

  @Test func waitsForWhatComesLater() async throws {
    let later = EventStream<Void, Never>.timer(after: .milliseconds(3), on: Current.scheduler)
      .map { "later" }.bind(to: count.rx.text)
    try await run("expect later")
    later.dispose()
  }

  @Test func waitsUntilThereIsNothingLeftToDo() async throws {
    var left = 3
    try await run("settle\nexpect 3") {
      $0.work = { [count] in
        left -= 1
        if left == 0 { count.text = "3" }
      }
    }
  }

  @Test func timePassesAsTheApplicationSays() async throws {
    var passed = Duration.zero
    try await run("advance 1.5s\nadvance 1ms") { $0.advance = { passed += $0 } }
    #expect(passed == .milliseconds(1_501))
  }

  @Test func filesAreWrittenAndLookedAt() async throws {
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
    await #expect(throws: ScriptError.self) { try await run("write no/such/folder x") }
  }

  @Test func knowsWhenTheApplicationHasEnded() async throws {
    await #expect(throws: ScriptError.self) { try await run("expect-end") { $0.patience = .zero } }
    application.terminate()
    try await run("expect-end")
  }

  @Test func printsTheScreen() async throws {
    var printed: [String] = []
    try await run("screen") { $0.output = { printed.append($0) } }
    #expect(printed == ["0\n      [ More ]\n"])
  }
}
