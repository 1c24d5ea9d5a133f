import RunnelDesk
import Testing

@Suite struct KeyLabelTests {
  @Test(arguments: [
    ("ctrl+s", "Ctrl+S"), ("shift+f5", "Shift+F5"), ("pagedown", "PageDown"), ("?", "?"),
    ("a", "a"), ("ctrl+plus", "Ctrl++"), ("space", "Space"), ("backtab", "Shift+Tab"),
    ("ctrl+alt+shift+super+up", "Ctrl+Alt+Shift+Super+↑"), ("escape", "Esc"),
  ])
  func labelsMatchMenus(_ name: String, _ label: String) {
    #expect(KeyPress(name)?.label == label)
  }
}
