import Glibc
import RunnelDesk
import RunnelLoop
import RunnelStreams
import RunnelTerminal

/// A screen that shows the last event, and some text in several styles.
@MainActor final class Display {
  private let terminal: Terminal

  private let printsEvents: Bool

  init(_ terminal: Terminal, printsEvents: Bool) {
    self.terminal = terminal
    self.printsEvents = printsEvents
    terminal.events.observeNext { [weak self] in self?.receive($0) }
  }

  /// Completes when the terminal is closed.
  var end: EventStream<Void, Never> { terminal.events.ignoreElements(as: Void.self) }

  func show(_ text: String) {
    var painter = Painter(Grid(terminal.size))
    painter.border(painter.bounds, .rounded, title: "Fixture")
    painter.put(text, at: Point(x: 2, y: 1), style: TextStyle(effects: .bold))
    let red = TextStyle(foreground: .red, background: .brightWhite)
    painter.put("red", at: Point(x: 2, y: 2), style: red)
    let mixed = TextStyle(foreground: .rgb(250, 100, 5), background: .palette(21))
    painter.put("mixed", at: Point(x: 2, y: 3), style: mixed)
    painter.put("世界 e\u{301} Grüße", at: Point(x: 6, y: 2))
    painter.put("right", at: Point(x: terminal.size.width - 5, y: terminal.size.height - 1))
    painter.placeCursor(at: Point(x: 2, y: 1))
    terminal.show(painter.grid)
    terminal.title = text
    if printsEvents { _ = write(STDOUT_FILENO, "\(text)\n", text.utf8.count + 1) }
  }

  /// Shows frames that differ in all cells, far faster than a terminal can display them.
  private func flood() {
    for number in 0..<1_000 {
      var grid = Grid(terminal.size)
      grid.fill(grid.bounds, with: Character(Unicode.Scalar(UInt8(0x30 + number % 10))))
      grid.put("frame \(number)", at: .zero)
      terminal.show(grid)
    }
  }

  private func receive(_ event: InputEvent) {
    if case .key(let press) = event, case .character(let character) = press.key,
      press.modifiers.isEmpty, let action = Crashes.all[character]
    {
      return action()
    }
    switch event {
    case .text(let text):
      for scalar in text.unicodeScalars { receive(.key(KeyPress(.character(Character(scalar))))) }
      return
    case .key(KeyPress(.character("q"))): terminal.close()
    case .key(KeyPress(.character("f"), .control)):
      flood()
      _ = write(STDOUT_FILENO, "flooded\n", 8)
      return
    case .key(KeyPress(.character("z"), .control)): terminal.suspend()
    case .key(KeyPress(.character("b"), .control)): terminal.ring()
    case .key(KeyPress(.character("c"), .control)): terminal.copy("copied: ü\n")
    case .key(KeyPress(.character("n"), .control)): terminal.lendTwice()
    case .key(KeyPress(.character("t"), .control)):
      do { _ = try Terminal(on: .main) } catch { return show("\(error)") }
    case .key(KeyPress(.character("w"), .control)):
      _ = write(STDERR_FILENO, "a warning\n", 10)
    case .key, .mouse, .paste, .resize, .focus: break
    }
    show(Self.description(of: event))
  }

  private static func description(of event: InputEvent) -> String {
    switch event {
    case .key(let press): "key \(press)"
    case .text(let text): "text \(text)"
    case .mouse(let event): "mouse \(event.action) \(event.position) \(event.modifiers.rawValue)"
    case .paste(let text) where text.count < 40: "paste \(text.replacing("\n", with: "|"))"
    case .paste(let text): "paste of \(text.utf8.count) bytes, \(checksum(text))"
    case .resize(let size): "resize \(size)"
    case .focus(let isFocused): "focus \(isFocused)"
    }
  }

  private static func checksum(_ text: String) -> UInt32 {
    text.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }
  }
}

/// Ways to end the process without closing the terminal.
enum Crashes {
  static let all: [Character: @MainActor () -> Void] = [
    "A": { abort() },
    "E": { exit(3) },
    "F": { fatalError("This is what has gone wrong.") },
    "I": {
      let numbers = [Int](repeating: 0, count: CommandLine.arguments.count)
      print(numbers[numbers.count])
    },
    "O": { print(depth(of: 0)) },
    "S": {
      // Safety: none. The invalid access is intended, to crash the process.
      UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    },
    "U": { _exit(4) },
  ]

  /// Recurses until the stack overflows.
  @inline(never)
  private static func depth(of number: Int) -> Int {
    withExtendedLifetime([number]) { number < 0 ? 0 : 1 + depth(of: number + 1) }
  }
}
