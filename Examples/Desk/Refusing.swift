import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 30, height: 6))
let application = Application(backend: backend)
let isValid = Property(false)

let wraps = Checkbox("Wrap lines")
wraps.rDelegate.answer(\.checkbox_shouldChangeTo) { _, isOn in !isOn || isValid.value }
wraps.rDelegate.stream(\.checkboxDidChange).observeNext { print("wraps:", $0.isOn) }

wraps.toolTip = "Shows long lines in several rows"

let window = Window(content: StackView(.vertical, [TextField(), wraps, View()]))
application.rDelegate.answer(\.applicationShouldTerminate) { _ in isValid.value }
window.rDelegate.stream(\.window_didMoveFocusTo)
  .observeNext { _, view in print("in a field:", view is TextField) }

application.show(window)
backend.press("tab")
backend.press("tab")
backend.press("space")  // refused
application.terminate()  // refused
isValid.value = true
backend.press("space")
application.terminate()
print("ended")

// Output:
// in a field: true
// in a field: false
// wraps: true
// ended
