import RunnelDesk
import RunnelTesting
import TestSupport
import Testing

/// Tests in a real terminal (tmux).
@Suite(.serialized) struct TerminalTests {
  /// Runs the fixture. The screen stays available afterwards.
  private static let script = "printf 'outside\\n'; \(fixturePath); tmux wait-for -S ended"

  @Test func gridAndStylesAreShown() async {
    let (lines, styles, flags) = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      let flags =
        "#{alternate_on} #{cursor_flag} #{cursor_x} #{cursor_y} #{wrap_flag} #{mouse_sgr_flag}"
      return (tmux.lines, tmux.run(["capture-pane", "-p", "-e"]), tmux.value(flags))
    }
    #expect(lines.first == "╭─ Fixture " + String(repeating: "─", count: 48) + "╮")
    #expect(lines[1].hasPrefix("│ ready "))
    #expect(lines[2] == "│ red 世界 e\u{301} Grüße" + String(repeating: " ", count: 41) + "│")
    #expect(lines[9] == "╰" + String(repeating: "─", count: 54) + "right")
    #expect(styles.contains("\u{1B}[31m\u{1B}[107mred"))
    #expect(styles.contains("\u{1B}[1mready"))
    #expect(flags == "1 1 2 1 0 1")
  }

  @Test func keysAreReported() async {
    let names = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      let keys = [
        ("x", "key x"), ("Up", "key up"), ("C-Right", "key ctrl+right"), ("M-a", "key alt+a"),
        ("Enter", "key enter"), ("Escape", "key escape"), ("BTab", "key backtab"),
        ("C-j", "key ctrl+j"), ("F5", "key f5"), ("S-F5", "key shift+f5"), ("PPage", "key pageup"),
        ("BSpace", "key backspace"), ("DC", "key delete"), ("C-Space", "key ctrl+space"),
        ("ä", "key ä"), ("世", "key 世"), ("M-Enter", "key alt+enter"),
      ]
      return keys.map { key, name in
        tmux.type(key)
        return (name, tmux.wait(forTitle: name), tmux.lines[1])
      }
    }
    for (expected, title, line) in names {
      #expect(title == expected)
      #expect(line.hasPrefix("│ \(expected)  "))
    }
  }

  @Test func mouseAndFocusAreReported() async {
    let titles = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.send("\u{1B}[<0;10;5M")
      let press = tmux.wait(forTitle: "mouse")
      tmux.send("\u{1B}[<64;1;1M")
      let wheel = tmux.wait(forTitle: "mouse wheel")
      tmux.send("\u{1B}[O")
      return [press, wheel, tmux.wait(forTitle: "focus")]
    }
    #expect(titles[0].hasSuffix("left) (9, 4) 0"))
    #expect(titles[1].hasSuffix("up) (0, 0) 0"))
    #expect(titles[2] == "focus false")
  }

  @Test func pastesAreReported() async {
    let text = String(repeating: "A line of some length, with \u{1B}[31mcolour.\n", count: 2_000)
    let sum = text.utf8.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
    let titles = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.run(["set-buffer", "one\ntwo"])
      tmux.run(["paste-buffer", "-p"])
      let short = tmux.wait(forTitle: "paste")
      tmux.write(text, to: "errors")
      tmux.run(["load-buffer", "\(tmux.folder)/errors"])
      tmux.run(["paste-buffer", "-p"])
      return [short, tmux.wait(forTitle: "paste of")]
    }
    #expect(titles == ["paste one|two", "paste of \(text.utf8.count) bytes, \(sum)"])
  }

  @Test func resizingWindowIsReported() async {
    let (title, lines) = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.run(["resize-window", "-x", "40", "-y", "6"])
      return (tmux.wait(forTitle: "resize"), tmux.lines)
    }
    #expect(title == "resize 40×6")
    #expect(lines.prefix(6).map(\.count) == [40, 40, 38, 40, 40, 40])
    #expect(lines[5].hasSuffix("─right"))
  }

  @Test func copyReachesClipboard() async {
    let buffer = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.type("C-c")
      tmux.wait(forTitle: "key ctrl+c")
      return tmux.run(["show-buffer"])
    }
    #expect(buffer == "copied: ü\n")
  }

  @Test func closingRestoresScreen() async {
    let (lines, flags) = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.type("C-w")
      tmux.wait(forTitle: "key ctrl+w")
      let isQuiet = !tmux.lines.contains { $0.contains("warning") }
      tmux.type("q")
      tmux.wait(for: "ended")
      return (
        tmux.lines, "\(isQuiet) \(tmux.value("#{alternate_on} #{cursor_flag} #{pane_title}"))"
      )
    }
    // Text printed to standard error in the meantime does not disturb the screen and appears
    // afterwards.
    #expect(lines.prefix(3) == ["outside", "a warning", "closed"])
    #expect(flags == "true 0 1 outside")
  }

  @Test func openingReportsReasonOfFailure() async {
    let script = """
      TERM=dumb \(fixturePath) > before; TERM= \(fixturePath) > after
      setsid -w \(fixturePath) > stopped; \(fixturePath) /dev/null > errors; tmux wait-for -S ended
      """
    let texts = await withTmux(script) { tmux in
      tmux.wait(for: "ended")
      return ["before", "after", "stopped", "errors"].map(tmux.text(of:))
    }
    #expect(texts[0].hasPrefix("A terminal named 'dumb' has no screen to draw on."))
    #expect(texts[1].hasPrefix("TERM is not set."))
    #expect(texts[2].hasPrefix("The terminal /dev/tty cannot be opened: "))
    #expect(texts[3] == "/dev/null is not a terminal. Start this program in one.\n")
  }

  @Test func secondTerminalIsRejected() async {
    let title = await withTmux(Self.script) { tmux in
      tmux.wait(forTitle: "ready")
      tmux.type("C-t")
      return tmux.wait(forTitle: "This process")
    }
    #expect(
      title == "This process has already opened a terminal. Close that Terminal first.")
  }

  /// The screen is returned to the shell, and later restored with its contents.
  @Test func suspendedProcessContinuesWithItsScreen() async {
    let script = """
      set -m; stty -a > before; printf 'outside\\n'; \(fixturePath)
      stty -a > stopped; tmux wait-for -S stopped; tmux wait-for go; fg; tmux wait-for -S ended
      """
    for isByKey in [true, false] {
      let (before, stopped, screens, title) = await withTmux(script) { tmux in
        let title = tmux.wait(forTitle: "ready")
        let lines = tmux.lines
        if isByKey {
          tmux.type("C-z")
        } else {
          tmux.run(["run-shell", "kill -TSTP \(title.split(separator: " ").last ?? "")"])
        }
        tmux.wait(for: "stopped")
        let outside = tmux.lines
        let flags = tmux.value("#{alternate_on} #{cursor_flag} #{mouse_any_flag}")
        tmux.signal("go")
        tmux.wait(forTitle: isByKey ? "key ctrl+z" : "ready")
        let inside = tmux.lines
        tmux.type("x")
        let end = tmux.wait(forTitle: "key x")
        return (
          tmux.text(of: "before"), tmux.text(of: "stopped"),
          [lines[0], outside[0], flags, inside[0]], end
        )
      }
      #expect(stopped == before)
      #expect(screens[1] == "outside")
      #expect(screens[2] == "0 1 0")
      #expect(screens[3] == screens[0])
      #expect(title == "key x")
    }
  }
}
