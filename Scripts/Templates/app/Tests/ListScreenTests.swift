import Runnel
import RunnelDesk
import Testing

@testable import NAME

@MainActor
@Test func anItemIsAdded() {
  let backend = HeadlessBackend(Size(width: 40, height: 10))
  let application = Application(backend: backend)
  let screen = ListScreen()
  screen.show(in: application)
  backend.type("Milk")
  backend.press("enter")
  #expect(Array(screen.items) == ["Milk"])
  #expect(backend.text.contains("1 item"))
}
