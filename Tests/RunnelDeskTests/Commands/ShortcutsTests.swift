import RunnelTesting
import Testing

@testable import RunnelDesk

@MainActor
@Suite struct ShortcutsTests {
  /// The keys of a window, one line for each menu.
  private func text(of window: Window) -> [String] {
    window.shortcutGroups.map { group in
      let keys = group.shortcuts.map { "\($0.title) \($0.key.label)" }
      return "\(group.title): \(keys.joined(separator: ", "))"
    }
  }

  @Test func keysOfMenusAndApplicationAreListed() {
    let desk = Desk(Label("content"))
    #expect(text(of: desk.window) == ["Application: Quit Ctrl+Q"])
    let quit = MenuItem("Leave", key: "ctrl+q")
    desk.window.menuBar = MenuBar([
      Menu("File", [MenuItem("New", key: "ctrl+n"), .separator, MenuItem("Print"), quit]),
      Menu("Empty", [MenuItem("Nothing")]),
    ])
    #expect(
      text(of: desk.window) == [
        "File: New Ctrl+N, Leave Ctrl+Q", "Application: All commands Ctrl+P",
      ])
    quit.keyEquivalent = KeyPress("ctrl+p")
    #expect(
      text(of: desk.window) == ["File: New Ctrl+N, Leave Ctrl+P", "Application: Quit Ctrl+Q"])
  }

  @Test func onlyADesktopShowsThem() {
    #expect(!Desk(Label("content")).window.showShortcuts())
    #expect(!Window().showShortcuts())
  }

  @Test func desktopKeepsBindingsOfTheApplication() {
    var bindings = KeyBindings.standard
    bindings["ctrl+w"] = .cancel
    bindings.releaseKeysOfDesktop()
    #expect(bindings["ctrl+w"] == .cancel && bindings["alt+f"] == nil && bindings["alt+d"] == nil)
    #expect(bindings["ctrl+u"] == .delete(.lineStart) && bindings["alt+b"] == nil)
  }
}
