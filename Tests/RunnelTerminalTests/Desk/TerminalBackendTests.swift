import RunnelTesting
import TestSupport
import Testing

/// An application in a real terminal: tmux. Where it is said, in one that the test plays.
@Suite(.serialized) struct TerminalBackendTests {
  private static let script =
    "printf 'outside\\n'; \(fixturePath) desk > after; tmux wait-for -S ended"

  @Test func showsAnApplicationAndHearsThePerson() async {
    let (before, after, end, printed) = await withTmux(Self.script) { tmux in
      let before = tmux.wait { $0[0] == "pressed 0" }
      tmux.type("Enter")
      tmux.wait(forTitle: "pressed 1")
      // A click on the button: down and up.
      tmux.send("\u{1B}[<0;30;2M\u{1B}[<0;30;2m")
      tmux.wait(forTitle: "pressed 2")
      let after = tmux.wait { $0[0] == "pressed 2" }
      tmux.type("Tab", "Space")
      tmux.wait(for: "ended")
      let end = tmux.wait { $0[0] == "outside" }
      return (before, after, end, tmux.text(of: "after"))
    }
    #expect(before[0] == "pressed 0")
    #expect(before[1].contains("[ More ]"))
    #expect(after[0] == "pressed 2")
    #expect(end[0] == "outside")
    #expect(printed == "closed\n")
  }

  /// By a delegate, and by the handler of a proxy.
  @Test func whatMayNotBeIsNot() async {
    let lines = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "pressed 0")
      tmux.type("Tab", "Tab", "Space")
      tmux.wait(forTitle: "refused true")
      tmux.type("Tab", "a", "7")
      tmux.wait(forTitle: "refused 7")
      // The picture comes after the title: what is typed now is seen when the rest is, too.
      tmux.type("b")
      let lines = tmux.wait(forText: "b")
      tmux.type("BTab", "BTab", "Space")
      tmux.wait(for: "ended")
      return lines
    }
    #expect(lines[3].contains("[ ] Never"))
    #expect(lines[4].hasPrefix("ab"))
  }

  /// Who wants to save something is told, though nothing can be shown any more.
  @Test func endsTheApplicationWhenTheTerminalIsGone() async {
    let said = await withPseudoTerminal("desk") { terminal in
      terminal.read(until: "]2;pressed 0")
      terminal.hangUp()
      return terminal.waitForEnd()
    }
    #expect(said == "closed\n")
  }

  @Test func theApplicationRingsAndCopies() async {
    let shown = await withPseudoTerminal("desk") { terminal in
      terminal.read(until: "]2;pressed 0")
      terminal.send("\r")
      return terminal.read(until: "]2;pressed 1")
    }
    // "pressed 1"
    #expect(shown.contains("\u{7}") && shown.contains("\u{1B}]52;c;cHJlc3NlZCAx\u{1B}\\"))
  }

  @Test func controlZStopsItUntilItIsToldToGoOn() async {
    let script = """
      set -m
      printf 'outside\\n'; \(fixturePath) desk > after
      tmux select-pane -T stopped; tmux wait-for go; fg > /dev/null; tmux wait-for -S ended
      """
    let (outside, inside) = await withTmux(script) { tmux in
      tmux.wait(forTitle: "pressed 0")
      tmux.type("Enter")
      tmux.wait(forTitle: "pressed 1")
      tmux.type("C-z")
      tmux.wait(forTitle: "stopped")
      let outside = tmux.wait { $0[0] == "outside" }[0]
      tmux.signal("go")
      tmux.wait(forTitle: "pressed 1")
      tmux.type("Enter")
      tmux.wait(forTitle: "pressed 2")
      let inside = tmux.wait { $0[0] == "pressed 2" }[0]
      tmux.type("Tab", "Space")
      tmux.wait(for: "ended")
      return (outside, inside)
    }
    #expect(outside == "outside")
    #expect(inside == "pressed 2")
  }
}
