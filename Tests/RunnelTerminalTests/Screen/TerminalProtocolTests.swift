import RunnelDesk
import RunnelTesting
import Testing

/// The bytes exchanged between the program and a terminal that the test plays.
@Suite struct TerminalProtocolTests {
  @Test func modesAreSetAndReset() async {
    let (start, end, said) = await withPseudoTerminal { terminal in
      let start = terminal.read(until: "]2;ready")
      terminal.send("q")
      let end = terminal.read(until: "\u{1B}[23;0t")
      return (start, end, terminal.waitForEnd())
    }
    #expect(!start.contains("1003") && end.contains("\u{1B}[?1003l"))
    for mode in ["1049", "2004", "1004", "1002", "1006"] {
      #expect(start.contains("\u{1B}[?\(mode)h"))
      #expect(end.contains("\u{1B}[?\(mode)l"))
    }
    #expect(start.contains("\u{1B}[>1u"))
    #expect(end.contains("\u{1B}[<u"))
    #expect(start.contains("\u{1B}[?7l"))
    #expect(end.hasSuffix("\u{1B}[?7h\u{1B}[m\u{1B}[?25h\u{1B}[?1049l\u{1B}[23;0t"))
    #expect(said.hasSuffix("closed\n"))
  }

  /// Frames are marked only if the terminal reports support for synchronised updates.
  @Test func framesAreSynchronizedWhenSupported() async {
    let (before, after) = await withPseudoTerminal { terminal in
      let before = terminal.read(until: "]2;ready")
      terminal.send("\u{1B}[?2026;2$yx")
      return (before, terminal.read(until: "]2;key x"))
    }
    #expect(before.contains("\u{1B}[?2026$p"))
    #expect(!before.contains("\u{1B}[?2026h"))
    #expect(after.contains("\u{1B}[?2026h"))
    #expect(after.contains("\u{1B}[?2026l"))
  }

  /// A terminal that accepts no output, for example after Ctrl-S, does not block the program: it
  /// still handles input. In the end the last frame is shown, and few of the earlier ones.
  @Test func slowTerminalDoesNotBlockProgram() async {
    let (said, shown) = await withPseudoTerminal { terminal in
      terminal.wait(for: "ready")
      terminal.send("\u{6}")
      terminal.wait(for: "flooded")
      terminal.send("x")
      let said = terminal.wait(for: "key x")
      return (said, terminal.read(until: "]2;key x"))
    }
    #expect(said.contains("flooded\nkey x\n"))
    #expect(shown.utf8.count < 60_000)
    #expect(!shown.contains("frame 500"))
  }

  /// Terminals may also report no size, or an absurdly large one.
  @Test func anyReportedSizeIsAccepted() async {
    let sizes: [(columns: UInt16, rows: UInt16, shown: String)] = [
      (1, 1, "1×1"), (0, 0, "80×24"), (10_000, 10_000, "2000×1000"), (2, 65_535, "2×1000"),
      (65_535, 1, "2000×1"), (0, 7, "80×24"), (100, 30, "100×30"),
    ]
    let said = await withPseudoTerminal { terminal in
      terminal.read(until: "]2;ready")
      terminal.wait(for: "ready")
      for size in sizes {
        terminal.resize(columns: size.columns, rows: size.rows)
        terminal.read(until: "]2;resize \(size.shown)")
      }
      terminal.send("q")
      return terminal.waitForEnd()
    }
    #expect(said.hasSuffix(sizes.map { "resize \($0.shown)\n" }.joined() + "key q\nclosed\n"))
  }

  /// The screen is taken over again when the outer program has ended, too.
  @Test func lendsCanBeNested() async {
    let (shown, said) = await withPseudoTerminal { terminal in
      terminal.read(until: "]2;ready")
      terminal.send("\u{E}")
      let shown = terminal.read(until: "]2;key ctrl+n")
      terminal.send("q")
      return (shown, terminal.waitForEnd())
    }
    #expect(shown.contains("[outer inner outer]\u{1B}[22;0t"))
    #expect(shown.components(separatedBy: "\u{1B}[23;0t").count == 2)
    #expect(shown.components(separatedBy: "\u{1B}[22;0t").count == 2)
    #expect(said.hasSuffix("key q\nclosed\n"))
  }

  @Test func lostTerminalEndsEvents() async {
    let said = await withPseudoTerminal { terminal in
      terminal.wait(for: "ready")
      terminal.hangUp()
      return terminal.waitForEnd()
    }
    #expect(said.hasSuffix("closed\n"))
  }

  /// Without an explicit colour depth, the environment of the process determines it.
  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], "38;2;250;100;5", "48;5;21"),
    (["TERM": "xterm-256color"], "38;5;202", "48;5;21"), (["TERM": "xterm"], "91", "44"),
  ])
  func colorsMatchEnvironment(
    _ environment: [String: String], _ foreground: String, _ background: String
  ) async {
    let start = await withPseudoTerminal(environment: environment) { terminal in
      terminal.read(until: "]2;ready")
    }
    let styles = start.split(separator: "mixed")[0].split(separator: "\u{1B}[").suffix(2)
    #expect(styles.joined().contains(foreground), "\(styles)")
    #expect(styles.joined().contains(background), "\(styles)")
  }

  @Test(arguments: [
    ["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], ["TERM": "vt220"],
  ])
  func noColorsAreUsedWhenUnwanted(_ environment: [String: String]) async throws {
    let start = await withPseudoTerminal(environment: environment) { terminal in
      terminal.read(until: "]2;ready")
    }
    let styles = start.matches(of: try Regex("\u{1B}\\[([0-9;]*)m")).map {
      $0.output[1].substring.map(String.init) ?? ""
    }
    #expect(styles.contains("1"))
    #expect(styles.allSatisfy { ["", "0", "1"].contains($0) }, "\(styles)")
  }

  @Test func bellAndClipboardSequencesAreSent() async {
    let (bell, copy) = await withPseudoTerminal { terminal in
      _ = terminal.read(until: "]2;ready")
      terminal.send("\u{2}")
      let bell = terminal.read(until: "]2;key ctrl+b")
      terminal.send("\u{3}")
      return (bell, terminal.read(until: "]2;key ctrl+c"))
    }
    #expect(bell.contains("\u{7}"))
    #expect(!copy.contains("\u{7}") && copy.contains("\u{1B}]52;c;Y29waWVkOiDDvAo=\u{1B}\\"))
  }

  /// Bytes that terminals do not send.
  @Test(arguments: seeds(5) as Range<UInt64>)
  func arbitraryInputDoesNotTrap(_ seed: UInt64) async {
    let said = await withPseudoTerminal { terminal in
      _ = terminal.read(until: "]2;ready")
      var random = SeededGenerator(seed: seed)
      for _ in 0..<20 {
        // Omits letters, which make the fixture crash, and the keys that suspend or flood it, or
        // lend the terminal, which discards input.
        let noise = (0..<200).map { _ in UInt8.random(in: 0...0x40, using: &random) }
          .filter { $0 != 0x1A && $0 != 0x06 && $0 != 0x0E }
        terminal.send(String(decoding: noise, as: UTF8.self))
      }
      // Ends any open sequence; the keys after it must be reported.
      terminal.send("\u{18}\u{1B}[201~\u{1B}\\xyz")
      return (terminal.wait(for: "key z"), terminal.read(until: "]2;key z"))
    }
    #expect(said.0.contains("key z\n"), "seed \(seed)")
    #expect(said.1.contains("key z"), "seed \(seed)")
  }
}
