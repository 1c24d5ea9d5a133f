import RunnelDesk
import RunnelTesting
import TestSupport
import Testing

/// The terminal is restored in whichever way the program ends.
@Suite(.serialized) struct TerminalDeathTests {
  /// The reason why the program ends: a key that makes it crash, or a signal.
  enum Cause: CustomStringConvertible, Sendable {
    case key(String)
    case signal(String)

    var description: String {
      switch self {
      case .key(let key): "key \(key)"
      case .signal(let name): "SIG\(name)"
      }
    }
  }

  private static let script = """
    stty -a > before; printf 'outside\\n'; \(fixturePath) 2>&1
    status=$?; tmux wait-for -S ended; tmux wait-for go
    stty -a > after; printf 'status %s\\n' $status; tmux wait-for -S over
    """

  private struct Remains: Sendable {
    let lines: [String]
    let flags: String
    let before: String
    let after: String
  }

  private static func remains(
    of cause: Cause, environment: [String: String] = [:],
    after start: @escaping @Sendable (Tmux) -> String = { $0.wait(forTitle: "ready") }
  ) async -> Remains {
    await withTmux(environment: environment, script) { tmux in
      let title = start(tmux)
      switch cause {
      case .key(let key): tmux.type(key)
      case .signal(let name):
        tmux.run(["run-shell", "kill -\(name) \(title.split(separator: " ").last ?? "")"])
      }
      tmux.wait(for: "ended")
      // The title is restored last. The guardian process may finish shortly after the shell.
      tmux.wait(forTitle: "outside")
      tmux.signal("go")
      tmux.wait(for: "over")
      let flags = tmux.value(
        "#{alternate_on} #{cursor_flag} #{wrap_flag} #{mouse_any_flag} #{mouse_sgr_flag}")
      return Remains(
        lines: tmux.lines, flags: flags, before: tmux.text(of: "before"),
        after: tmux.text(of: "after"))
    }
  }

  @Test(arguments: [
    (Cause.key("q"), 0), (.key("E"), 3), (.key("U"), 4), (.key("A"), 134), (.key("S"), 139),
    (.key("O"), 139), (.signal("TERM"), 143), (.signal("HUP"), 129), (.signal("INT"), 130),
    (.signal("QUIT"), 131), (.signal("ABRT"), 134), (.signal("SEGV"), 139), (.signal("USR1"), 138),
    (.signal("KILL"), 137),
  ])
  func terminalIsRestoredAfterAnyEnd(_ cause: Cause, _ status: Int) async {
    let remains = await Self.remains(of: cause)
    #expect(remains.lines.first == "outside")
    #expect(remains.lines.contains("status \(status)"), "\(remains.lines)")
    #expect(remains.flags == "0 1 1 0 0")
    #expect(remains.after == remains.before)
  }

  /// Messages at the end of the program are visible on the restored screen.
  @Test(arguments: [
    (Cause.key("F"), "This is what has gone wrong."), (.key("I"), "Fatal error: Index"),
  ])
  func lastMessagesAreVisible(_ cause: Cause, _ words: String) async {
    let remains = await Self.remains(of: cause)
    #expect(remains.lines.first == "outside")
    #expect(remains.lines.joined(separator: " ").contains(words), "\(remains.lines)")
    #expect(remains.flags == "0 1 1 0 0")
    #expect(remains.after == remains.before)
  }

  /// Swift's crash reporter prints on the restored screen.
  @Test func crashReporterPrintsBacktrace() async {
    let remains = await Self.remains(
      of: .key("S"), environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no"])
    #expect(remains.lines.joined().contains("Backtrace"), "\(remains.lines)")
    #expect(remains.flags == "0 1 1 0 0")
    #expect(remains.after == remains.before)
  }

  /// A terminal that is opened a second time is protected too.
  @Test(arguments: [(Cause.key("S"), 139), (.signal("TERM"), 143), (.signal("KILL"), 137)])
  func reopenedTerminalIsRestoredAfterAnyEnd(_ cause: Cause, _ status: Int) async {
    let remains = await Self.remains(of: cause, environment: ["ROUNDS": "2"]) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.type("q")
      return tmux.wait(forTitle: "again")
    }
    #expect(remains.lines.prefix(2) == ["outside", "closed"])
    #expect(remains.lines.contains("status \(status)"), "\(remains.lines)")
    #expect(remains.flags == "0 1 1 0 0")
    #expect(remains.after == remains.before)
  }
}
