#if GTK
import CGTK
import RunnelDesk
import RunnelTesting
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct ChoiceMirrorTests {
    private final class Refusal: RadioGroupDelegate, SwitchDelegate, SliderDelegate,
      StepperDelegate, PopUpButtonDelegate
    {
      var refuses = false
      var log: [String] = []

      private func answer(_ wanted: some Any) -> Bool {
        log.append("\(wanted)?")
        return !refuses
      }

      func radioGroup(_ group: RadioGroup, shouldSelect index: Int) -> Bool { answer(index) }
      func switchControl(_ control: Switch, shouldChangeTo isOn: Bool) -> Bool { answer(isOn) }
      func slider(_ slider: Slider, shouldChangeTo value: Double) -> Bool { answer(value) }
      func stepper(_ stepper: Stepper, shouldChangeTo value: Int) -> Bool { answer(value) }
      func popUpButton(_ button: PopUpButton, shouldSelect index: Int) -> Bool { answer(index) }
    }

    // MARK: Radio group

    @Test(arguments: [false, true]) func aRadioButtonProposesItsOption(refuses: Bool) throws {
      let delegate = Refusal()
      delegate.refuses = refuses
      let group = RadioGroup(["Mobile", "Home", "世界"], selectedIndex: 0)
      group.delegate = delegate
      let shown = try TestApp(StackView(.vertical, [group, Button("OK")]))
      defer { shown.end() }
      let options = shown.widgets(gtk_check_button_get_type(), of: group)
      var active: [Bool] { options.map { Bool(gtk_check_button_get_active(cast($0))) } }
      #expect(options.count == 3 && active == [true, false, false])
      gtk_widget_activate(options[1])
      #expect(group.selectedIndex == (refuses ? 0 : 1) && delegate.log == ["1?"])
      #expect(active == [refuses, !refuses, false])
      shown.click(group, x: 1, y: 2)
      #expect(group.selectedIndex == (refuses ? 0 : 2) && delegate.log == ["1?", "2?"])
      #expect(active == [refuses, false, !refuses])
      try shown.press("up")
      #expect(group.selectedIndex == (refuses ? 0 : 1) && active == [refuses, !refuses, false])
    }

    @Test func aRadioGroupFollowsTheProgram() throws {
      let group = RadioGroup(["A", "B"], axis: .horizontal)
      let shown = try TestApp(group)
      defer { shown.end() }
      #expect(shown.lines[0] == "( ) A  ( ) B")
      group.selectedIndex = 1
      #expect(shown.lines[0] == "( ) A  (•) B")
      group.titles = ["B", "C", "D"]
      #expect(shown.lines[0] == "( ) B  (•) C  ( ) D")
      group.selectedIndex = nil
      #expect(shown.lines[0] == "( ) B  ( ) C  ( ) D")
      group.titles = []
      #expect(shown.lines[0] == "" && shown.widgets(gtk_check_button_get_type(), of: group).isEmpty)
    }

    @Test func theSelectedOptionHasTheFocusOfGTK() throws {
      let (group, button) = (RadioGroup(["A", "B"], selectedIndex: 1), Button("OK"))
      let shown = try TestApp(StackView(.vertical, [button, group]))
      defer { shown.end() }
      let options = shown.widgets(gtk_check_button_get_type(), of: group)
      shown.window.makeFirstResponder(button)
      try shown.press("tab")
      #expect(group.isFirstResponder && shown.focus == options[1])
      try shown.press("up")
      #expect(shown.focus == options[0])
      try shown.press("tab")
      gtk_widget_grab_focus(options[1])
      shown.settle()
      #expect(group.isFirstResponder && shown.focus == options[0])
    }

    // MARK: Switch

    @Test(arguments: [false, true]) func aSwitchProposesItsState(refuses: Bool) throws {
      let delegate = Refusal()
      delegate.refuses = refuses
      let control = Switch("Wi-Fi")
      control.delegate = delegate
      let shown = try TestApp(control)
      defer { shown.end() }
      let knob = try #require(shown.widgets(gtk_switch_get_type(), of: control).first)
      gtk_switch_set_active(cast(knob), 1)
      #expect(control.isOn == !refuses && delegate.log == ["true?"])
      #expect(Bool(gtk_switch_get_active(cast(knob))) == !refuses)
      #expect(shown.lines[0] == (refuses ? "○── Wi-Fi" : "━━● Wi-Fi"))
      shown.click(control, x: 6)
      #expect(!control.isOn && delegate.log.count == 2)
      try shown.press("space")
      #expect(control.isOn == !refuses && Bool(gtk_switch_get_active(cast(knob))) == !refuses)
    }

    // MARK: Slider

    @Test(arguments: [false, true]) func aScaleProposesItsValue(refuses: Bool) throws {
      let delegate = Refusal()
      delegate.refuses = refuses
      let slider = Slider(20, in: 0...100, step: 5)
      slider.delegate = delegate
      let shown = try TestApp(slider)
      defer { shown.end() }
      let scale = try #require(shown.widgets(gtk_scale_get_type(), of: slider).first)
      var value: Double { gtk_range_get_value(cast(scale)) }
      gtk_range_set_value(cast(scale), 52)
      #expect(delegate.log == ["50.0?"] && slider.value == (refuses ? 20 : 50))
      #expect(value == slider.value)
      slider.value = 90
      shown.settle()
      #expect(value == 90 && delegate.log.count == 1)
      shown.window.makeFirstResponder(slider)
      try shown.press("right")
      #expect(value == (refuses ? 90 : 95) && slider.value == value)
    }

    @Test func theWheelMovesAFocusedSliderOnly() throws {
      let (slider, button) = (Slider(0.5), Button("OK"))
      let shown = try TestApp(StackView(.vertical, [button, slider]))
      defer { shown.end() }
      let wheel = MouseEvent(.wheel(.up), at: slider.frameInWindow.origin)
      shown.backend.send(.mouse(wheel))
      #expect(slider.value == 0.5)
      shown.window.makeFirstResponder(slider)
      shown.backend.send(.mouse(wheel))
      #expect(slider.value > 0.5)
    }

    // MARK: Stepper

    @Test(arguments: [false, true]) func aStepperButtonProposesAStep(refuses: Bool) throws {
      let delegate = Refusal()
      delegate.refuses = refuses
      let stepper = Stepper(1, in: 1...12)
      stepper.delegate = delegate
      let shown = try TestApp(StackView(.vertical, [Button("OK"), stepper]))
      defer { shown.end() }
      let buttons = shown.widgets(gtk_button_get_type(), of: stepper)
      #expect(buttons.map { Bool(gtk_widget_get_sensitive($0)) } == [false, true])
      #expect(shown.lines[1] == "[-]  1 [+]")
      shown.click(stepper, x: 8)
      #expect(stepper.isFirstResponder && delegate.log == ["2?"])
      #expect(shown.lines[1] == (refuses ? "[-]  1 [+]" : "[-]  2 [+]"))
      try shown.press("end")
      #expect(shown.lines[1] == (refuses ? "[-]  1 [+]" : "[-] 12 [+]"))
      #expect(buttons.map { Bool(gtk_widget_get_sensitive($0)) } == [!refuses, refuses])
      shown.click(stepper, x: 4)
      #expect(stepper.value == (refuses ? 1 : 12))
    }

    // MARK: Pop-up button and combo box

    @Test(arguments: [false, true]) func aPopUpButtonOpensItsMenu(refuses: Bool) throws {
      let delegate = Refusal()
      delegate.refuses = refuses
      let button = PopUpButton(["Low", "Normal", "High"], selectedIndex: 1)
      button.delegate = delegate
      let shown = try TestApp(button)
      defer { shown.end() }
      #expect(shown.lines[0].contains("Normal"))
      let widget = try #require(shown.widgets(gtk_button_get_type(), of: button).first)
      runnel_click(widget)
      #expect(shown.lines.contains { $0.contains("High") })
      try shown.press("down", "enter")
      #expect(button.selectedIndex == (refuses ? 1 : 2) && delegate.log == ["2?"])
      #expect(shown.lines[0].contains(refuses ? "Normal" : "High"))
      shown.click(button, x: 2)
      #expect(shown.lines.contains { $0.contains("Low") })
      try shown.press("escape")
      #expect(!shown.lines.contains { $0.contains("Low") } && button.isFirstResponder)
    }

    @Test func theArrowOfAComboBoxOpensItsMenu() throws {
      let comboBox = ComboBox("Inbox", choices: ["Inbox", "Archive"])
      let shown = try TestApp(StackView(.vertical, [Button("OK"), comboBox]))
      defer { shown.end() }
      shown.click(comboBox, x: comboBox.bounds.width - 1)
      #expect(comboBox.field.isFirstResponder)
      #expect(shown.lines.contains { $0.contains("Archive") })
      try shown.press("down", "enter")
      #expect(comboBox.text == "Archive" && shown.lines[1].hasPrefix("Archive"))
      comboBox.field.isEditable = false
      shown.settle()
      let arrow = try #require(shown.widgets(gtk_button_get_type(), of: comboBox).first)
      #expect(!Bool(gtk_widget_get_sensitive(arrow)))
    }

    // MARK: Link

    @Test func aLinkIsOpenedByTheProgram() throws {
      let link = Link("Online help", target: "https://example.org/help")
      let shown = try TestApp(link)
      defer { shown.end() }
      var opened: [String] = []
      let observation = link.rx.tap.observeNext { opened.append($0) }
      let widget = try #require(shown.widgets(gtk_link_button_get_type(), of: link).first)
      runnel_click(widget)
      shown.click(link, x: 3)
      try shown.press("enter")
      #expect(opened == [link.target, link.target, link.target])
      #expect(!Bool(gtk_link_button_get_visited(cast(widget))))
      observation.dispose()
    }

    // MARK: Disabled

    @Test func disabledControlsAreInsensitive() throws {
      let views: [View] = [
        RadioGroup(["A"], selectedIndex: 0), Switch("B"), Slider(0.5), Stepper(2),
        PopUpButton(["C"]), ComboBox("D"), Link("E"),
      ]
      let shown = try TestApp(StackView(.vertical, views))
      defer { shown.end() }
      for view in views { view.isEnabled = false }
      shown.settle()
      for view in views {
        let native = try #require(shown.mirror(of: view)?.native)
        #expect(!Bool(gtk_widget_is_sensitive(native)))
        shown.click(view, x: 1)
        shown.click(view, x: 8)
      }
      #expect(shown.lines.prefix(4) == ["(•) A", "○── B", shown.lines[2], "[-]   2 [+]"])
      for view in views { view.isEnabled = true }
      shown.settle()
      for view in views {
        #expect(Bool(gtk_widget_is_sensitive(try #require(shown.mirror(of: view)?.native))))
      }
    }
  }
}
#endif
