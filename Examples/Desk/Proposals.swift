import Runnel
import RunnelDesk

let locked = Checkbox("Locked", isOn: true)
locked.rDelegate.answer(\.checkbox_shouldChangeTo) { _, isOn in isOn }

@MainActor func show(_ isOn: Bool) { print("the widget shows \(isOn)") }

@MainActor func ticked(_ checkbox: Checkbox, isOn: Bool) {
  // A delegate, or a handler of its proxy, may have refused.
  if !checkbox.propose(isOn: isOn) { show(checkbox.isOn) }
}

ticked(locked, isOn: false)

// Output:
// the widget shows true
