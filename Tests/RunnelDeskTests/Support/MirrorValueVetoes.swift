import RunnelDesk
import RunnelProxies
import RunnelStreams

extension MirrorStage {
  /// The refusable actions of the user on controls with one value.
  nonisolated static let valueVetoes = [
    Veto(
      "switch", notification: "switched", adopt: { $0.lamp.delegate = $0.refuser },
      answer: { stage, may in
        stage.lamp.rDelegate.answer(\.switchControl_shouldChangeTo) { _, _ in may() }
      },
      act: { stage in
        let isOn = !stage.lamp.isOn
        stage.backend.set(stage.lamp, to: "\(isOn)") { stage.lamp.propose(isOn: isOn) }
      }, outcome: { "\($0.lamp.isOn)" }),
    Veto(
      "option", notification: "option selected", adopt: { $0.group.delegate = $0.refuser },
      answer: { stage, may in
        stage.group.rDelegate.answer(\.radioGroup_shouldSelect) { _, _ in may() }
      },
      act: { stage in
        stage.backend.set(stage.group, to: "1") { stage.group.propose(selectedIndex: 1) }
      }, outcome: { "\($0.group.selectedIndex ?? -1)" }),
    Veto(
      "slide", notification: "slid", adopt: { $0.slider.delegate = $0.refuser },
      answer: { stage, may in
        stage.slider.rDelegate.answer(\.slider_shouldChangeTo) { _, _ in may() }
      },
      act: { stage in
        stage.backend.set(stage.slider, to: "4.0") { stage.slider.propose(value: 4) }
      }, outcome: { "\($0.slider.value)" }),
    Veto(
      "step", notification: "stepped", adopt: { $0.stepper.delegate = $0.refuser },
      answer: { stage, may in
        stage.stepper.rDelegate.answer(\.stepper_shouldChangeTo) { _, _ in may() }
      },
      act: { stage in
        stage.backend.set(stage.stepper, to: "4") { stage.stepper.propose(value: 4) }
      }, outcome: { "\($0.stepper.value)" }),
    Veto(
      "choose", notification: "chosen", adopt: { $0.popUp.delegate = $0.refuser },
      answer: { stage, may in
        stage.popUp.rDelegate.answer(\.popUpButton_shouldSelect) { _, _ in may() }
      },
      act: { stage in
        stage.backend.set(stage.popUp, to: "1") { stage.popUp.propose(selectedIndex: 1) }
      }, outcome: { "\($0.popUp.selectedIndex ?? -1)" }),
    Veto(
      "combine", notification: "changed", adopt: { $0.combo.field.delegate = $0.refuser },
      answer: { stage, may in
        stage.combo.field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, _ in may() }
      }, act: { $0.backend.enter("b", in: $0.combo.field) }, outcome: { $0.combo.text }),
    Veto(
      "tab", notification: "tab selected", adopt: { $0.tabs.delegate = $0.refuser },
      answer: { stage, may in stage.tabs.rDelegate.answer(\.tabView_shouldSelect) { _, _ in may() }
      },
      act: { stage in
        stage.backend.set(stage.tabs, to: "1") { stage.tabs.propose(selectedIndex: 1) }
      }, outcome: { "\($0.tabs.selectedIndex)" }),
  ]
}
