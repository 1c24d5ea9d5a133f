import Foundation
import RunnelTesting
import TestSupport
import Testing

/// An application in a real terminal (tmux), or in a pseudo terminal that the test plays.
@Suite(.serialized) struct TerminalBackendTests {
  private static let script =
    "printf 'outside\\n'; \(fixturePath) desk > after; tmux wait-for -S ended"

  @Test func applicationIsShownAndReceivesInput() async {
    let (before, after, end, printed) = await withTmux(Self.script) { tmux in
      let before = tmux.wait { $0[0] == "pressed 0" }
      tmux.type("Enter")
      tmux.wait(forTitle: "pressed 1")
      // A click on the button: press and release.
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

  /// One change is vetoed by a delegate, the other by a proxy's handler.
  @Test func delegatesVetoChanges() async {
    let lines = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "pressed 0")
      tmux.type("Tab", "Tab", "Space")
      tmux.wait(forTitle: "refused true")
      tmux.type("Tab", "a", "7")
      tmux.wait(forTitle: "refused 7")
      // The screen is drawn after the title: when "b" is visible, the rest is too.
      tmux.type("b")
      let lines = tmux.wait(forText: "b")
      tmux.type("BTab", "BTab", "Space")
      tmux.wait(for: "ended")
      return lines
    }
    #expect(lines[3].contains("[ ] Never"))
    #expect(lines[4].hasPrefix("ab"))
  }

  /// The delegate is informed although nothing can be shown, so that it can save.
  @Test func lostTerminalEndsApplication() async {
    let said = await withPseudoTerminal("desk") { terminal in
      terminal.read(until: "]2;pressed 0")
      terminal.hangUp()
      return terminal.waitForEnd()
    }
    #expect(said == "closed\n")
  }

  @Test func applicationRingsAndCopies() async {
    let shown = await withPseudoTerminal("desk") { terminal in
      terminal.read(until: "]2;pressed 0")
      terminal.send("\r")
      return terminal.read(until: "]2;pressed 1")
    }
    // "pressed 1"
    #expect(shown.contains("\u{7}") && shown.contains("\u{1B}]52;c;cHJlc3NlZCAx\u{1B}\\"))
  }

  /// Moving the focus changes the screen and not the title.
  @Test func unchangedTitleIsNotWrittenAgain() async {
    let shown = await withPseudoTerminal("desk") { terminal in
      terminal.read(until: "]2;pressed 0")
      for key in ["\t", "\u{1B}[Z", "\r"] { terminal.send(key) }
      return terminal.read(until: "]2;pressed 1")
    }
    #expect(shown.components(separatedBy: "]2;").count == 2)
  }

  // MARK: - Tool tips

  /// Movements of the mouse are reported only while a view has a tool tip.
  @Test func motionIsReportedForToolTips() async {
    let (before, after, tip, end) = await withPseudoTerminal("desk") { terminal in
      let before = terminal.read(until: "]2;pressed 0")
      terminal.send("\t\t\ttip")
      let after = terminal.read(until: "\u{1B}[?1003h")
      terminal.send("\u{1B}[<35;50;2M")
      let tip = terminal.read(until: "Counts presses")
      terminal.send("x")
      return (before, after, tip, terminal.read(until: "\u{1B}[?1003l\u{1B}[?1002h"))
    }
    #expect(!before.contains("1003"))
    #expect(after.contains("\u{1B}[?1003h") && !after.contains("Counts"))
    #expect(tip.contains("Counts presses") && end.contains("\u{1B}[?1003l\u{1B}[?1002h"))
  }

  @Test func toolTipIsShownBelowTheMouse() async {
    let script = """
      set -m
      printf 'outside\\n'; \(fixturePath) desk > after
      tmux select-pane -T stopped; tmux wait-for go; fg > /dev/null; tmux wait-for -S ended
      """
    let (flags, lines, hidden) = await withTmux(script) { tmux in
      func flag() -> String { tmux.value("#{mouse_all_flag}") }
      tmux.wait(forTitle: "pressed 0")
      tmux.wait { $0[0] == "pressed 0" }
      var flags = [flag()]
      tmux.type("Tab", "Tab", "Tab", "t", "i", "p")
      tmux.wait { $0[4].hasPrefix("tip") && flag() == "1" }
      tmux.type("C-z")
      tmux.wait(forTitle: "stopped")
      flags.append(flag())
      tmux.signal("go")
      tmux.wait(forTitle: "pressed 0")
      tmux.wait { $0[0] == "pressed 0" }
      flags.append(flag())
      tmux.send("\u{1B}[<35;30;2M")
      let lines = tmux.wait(forText: "Counts presses")
      tmux.type("x")
      let hidden = tmux.wait(forText: "Counts presses", isShown: false)
      flags.append(flag())
      tmux.type("BTab", "BTab", "Space")
      tmux.wait(for: "ended")
      return (flags, lines, hidden)
    }
    #expect(flags == ["0", "0", "1", "0"])
    #expect(lines[2] == "                          [ Q Counts presses")
    #expect(hidden[2] == "                          [ Quit ]")
  }

  // MARK: - Plain mode

  /// A terminal that can only print lines receives no escape sequence at all.
  @Test(arguments: ["xterm-256color", "dumb"])
  func plainModeWritesLinesOnly(name: String) async {
    let shown = await withPseudoTerminal("plain", environment: ["TERM": name]) { terminal in
      var shown = terminal.read(until: "More, button\r\n")
      terminal.send("\t\t ")
      shown += terminal.read(until: "Never, checkbox: not checked\r\n")
      terminal.send("\tab")
      shown += terminal.read(until: "ab\r\n")
      terminal.send("\u{C}")
      shown += terminal.read(until: "text field: ab\r\n")
      terminal.send("\u{11}")
      _ = terminal.waitForEnd()
      return shown
    }
    let lines = shown.replacing("\u{1B}[?2004h", with: "").split(separator: "\r\n")
    #expect(lines.prefix(3) == ["pressed 0, window", "pressed 0", "Ctrl+Q quits"])
    #expect(lines.contains("Never, checkbox: not checked"))
    #expect(!lines.contains { $0.contains("\u{1B}") })
    #expect(shown.contains("\u{1B}[?2004h") == (name != "dumb"))
  }

  @Test func plainModeLeavesItsLinesOnTheScreen() async {
    let script = "printf 'outside\\n'; \(fixturePath) plain; tmux wait-for -S ended"
    let lines = await withTmux(script) { tmux in
      tmux.wait(forText: "More, button")
      tmux.type("Enter")
      tmux.wait(forText: "pressed 1")
      tmux.type("Tab")
      tmux.wait(forText: "Quit, button")
      tmux.type("Enter")
      tmux.wait(for: "ended")
      return tmux.wait(forText: "closed")
    }
    #expect(
      lines.filter { !$0.isEmpty } == [
        "outside", "pressed 0, window", "pressed 0", "Ctrl+Q quits", "More, button", "pressed 1",
        "Quit, button", "closed",
      ])
  }

  @Test func controlZSuspendsProcess() async {
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
