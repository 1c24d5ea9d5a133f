#if GTK
import Foundation
import Synchronization
import TestSupport
import Testing

/// The program Notes in a window, on a display and a folder of its own. Its methods block.
final class NotesProgram {
  /// True if programs can send real events of X.
  static let canSendEvents = ["/usr/bin/Xvfb", "/usr/bin/xdotool"].allSatisfy(isExecutable)
  static func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  let display: Display
  let home: String
  /// The number of pixels of the screen for one pixel of the layout, in each direction.
  let scale: Int
  private let program = Process()
  /// The output of the program.
  var output: String {
    get throws { try String(contentsOfFile: "\(home)/output", encoding: .utf8) }
  }
  /// The error output of the program.
  var errors: String {
    get throws { try String(contentsOfFile: "\(home)/errors", encoding: .utf8) }
  }
  private(set) var window = ""
  /// The width and height of a cell. The row of the search is higher, and the last rows have no room for it.
  private(set) var cell = (width: 0.0, height: 0.0)

  /// Starts the program on notes, by the names of their files. `launcher` is a command that runs it.
  init(
    _ notes: [String: String], launcher: [String] = [], accessibility: String = "none",
    scale: Int = 1, hasHeaderBar: Bool = false
  ) throws {
    display = try Display(scale: scale)
    self.scale = scale
    home = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path()
    try FileManager.default.createDirectory(
      atPath: "\(home)/notes", withIntermediateDirectories: true)
    for (age, note) in notes.sorted(by: { $0.key < $1.key }).enumerated() {
      try note.value.write(toFile: "\(home)/notes/\(note.key)", atomically: false, encoding: .utf8)
      // The list begins with the newest note: they are in the order of their names.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - Double(age) * 86_400)],
        ofItemAtPath: "\(home)/notes/\(note.key)")
    }
    try forbidPortal()
    let command = launcher + [Self.path, hasHeaderBar ? "--window" : "--menu-bar", "\(home)/notes"]
    program.executableURL = URL(fileURLWithPath: command[0])
    program.arguments = Array(command.dropFirst())
    program.environment = environment(accessibility)
    // Files, because a service of the desktop may outlive the program and keep a pipe open.
    program.standardOutput = try file("output")
    program.standardError = try file("errors")
    try program.run()
  }

  /// Keeps a bus of the session from starting the portal, which mounts a file system that would outlive the test.
  private func forbidPortal() throws {
    let name = "org.freedesktop.portal.Desktop"
    let services = "\(home)/dbus-1/services"
    try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
    try "[D-BUS Service]\nName=\(name)\nExec=/bin/false\n"
      .write(toFile: "\(services)/\(name).service", atomically: false, encoding: .utf8)
  }

  private func file(_ name: String) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: "\(home)/\(name)", contents: nil)
    return try #require(FileHandle(forWritingAtPath: "\(home)/\(name)"))
  }

  static let path = Fixture.folder + "/notes"

  private func environment(_ accessibility: String) -> [String: String] {
    display.environment.merging([
      "HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data", "XDG_RUNTIME_DIR": home,
      "LC_ALL": "C.UTF-8", "GTK_A11Y": accessibility, "GDK_SCALE": "\(scale)",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
    ]) { $1 }
  }

  /// Ends the program, if it runs, the services that it has started, and the display.
  func end() {
    if program.isRunning { program.terminate() }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = pid_t(name),
        let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ"),
        environment.split(separator: 0).contains(where: { Array($0) == Array("HOME=\(home)".utf8) })
      else { continue }
      // Services that a test starts may ignore other signals.
      kill(process, SIGKILL)
    }
    // The program counts as running while a service that it has started has its descriptors.
    program.waitUntilExit()
    display.end()
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Waits until the program ends, and returns its exit status and errors.
  func waitForExit() throws -> (status: Int32, errors: String) {
    try wait("the end of the program") { !program.isRunning }
    return (program.terminationStatus, try errors)
  }

  // MARK: - Conditions

  private struct Timeout: Error, CustomStringConvertible {
    let description: String
  }

  /// Waits until a condition holds, for at most a minute.
  func wait(_ what: String, until holds: () throws -> Bool) throws {
    let start = ContinuousClock.now
    while try !holds() {
      if ContinuousClock.now - start > .seconds(60) {
        throw Timeout(description: "\(what) did not come. The folder has \(try files()).")
      }
      _ = poll(nil, 0, 10)
    }
  }

  /// The texts of the notes, by the names of their files.
  func files() throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes") {
      texts[name] = try? String(contentsOfFile: "\(home)/notes/\(name)", encoding: .utf8)
    }
    return texts
  }

  /// Waits until a note has a text.
  func wait(forFile name: String, _ text: String) throws {
    try wait("\(name) with \(text.debugDescription)") { try files()[name] == text }
  }

  // MARK: - Events

  /// Runs a program on the display, and returns its output.
  @discardableResult
  func run(_ command: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment("none")
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @discardableResult
  func xdotool(_ arguments: String...) throws -> String { try run(["xdotool"] + arguments) }

  /// Waits for the window, which has 80 columns and 24 rows, and gives it the focus.
  func waitForWindow() throws {
    window = try xdotool("search", "--sync", "--onlyvisible", "--name", "^Notes$")
    let geometry = try size()
    cell = (Double(geometry.width) / 80, Double(geometry.height) / 24)
    try xdotool("windowfocus", "--sync", window)
  }

  /// Waits until the list shows the notes, and selects the first one: the list is empty until they are read.
  func selectFirstNote() throws {
    try wait("a note") {
      try press("Down")
      return try xdotool("getwindowname", window) != "Notes"
    }
    try press("Prior")
  }

  /// The size of the window in pixels.
  func size() throws -> (width: Int, height: Int) {
    let lines = try xdotool("getwindowgeometry", "--shell", window).split(separator: "\n")
    func number(_ name: String) -> Int? {
      lines.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }
    return (try #require(number("WIDTH")), try #require(number("HEIGHT")))
  }

  func press(_ keys: String...) throws { try run(["xdotool", "key"] + keys) }

  func type(_ text: String) throws {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { try press("Return") }
      if !line.isEmpty { try xdotool("type", String(line)) }
    }
  }

  /// Moves the mouse to the middle of a cell.
  func moveMouse(column: Int, row: Int) throws {
    // The search has a margin of 12 pixels on each side, and the height that fields have in the theme.
    let excess = Double(scale) * (12 + 34 + 12) - cell.height
    let y = (Double(row) + 0.5) * cell.height + (row > 1 ? excess : Double(row) * excess / 2)
    try moveMouse(column: column, y: y)
  }

  private func moveMouse(column: Int, y: Double) throws {
    let x = (Double(column) + 0.5) * cell.width
    try xdotool("mousemove", "--window", window, "\(Int(x))", "\(Int(y))")
  }

  /// Clicks an item of the menu bar's menu, whose rows have the height of a cell, until a condition holds. Before
  /// the menu is there, the server gives the click to the window, and GTK loses a click in the moment in which it
  /// appears: on a busy machine, a program is as fast as that.
  func clickItem(column: Int, row: Int, until what: String, _ holds: () throws -> Bool) throws {
    try wait("a menu") {
      try xdotool("search", "--onlyvisible", "--class", ".").split(separator: "\n").count > 1
    }
    try wait(what) {
      try moveMouse(column: column, y: (Double(row) + 0.5) * cell.height)
      try xdotool("click", "1")
      return try holds()
    }
  }

  func click(column: Int, row: Int, times: Int = 1, button: Int = 1) throws {
    try moveMouse(column: column, row: row)
    try xdotool("click", "--repeat", "\(times)", "--delay", "20", "\(button)")
  }
}
#endif
