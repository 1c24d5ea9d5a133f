#if GTK
import RunnelDesk

extension WindowMirror {
  /// A view without a native widget is drawn in cells.
  func mirror(of view: View) -> ViewMirror {
    if let mirror = GTKBackend.registeredMirror(of: view) {
      return RegisteredMirror(mirror, of: view, in: self)
    }
    return mirrorThatShips(of: view)
  }

  private func mirrorThatShips(of view: View) -> ViewMirror {
    switch view {
    case let view as Label: LabelMirror(view, in: self)
    case let view as Button: ButtonMirror(view, in: self)
    case let view as Checkbox: CheckboxMirror(view, in: self)
    case let view as TextField: TextFieldMirror(view, in: self)
    case let view as TextView: TextViewMirror(view, in: self)
    case let view as TableView: TableMirror(view, in: self)
    case let view as RadioGroup: RadioGroupMirror(view, in: self)
    case let view as Switch: SwitchMirror(view, in: self)
    case let view as Slider: SliderMirror(view, in: self)
    case let view as Stepper: StepperMirror(view, in: self)
    case let view as PopUpButton: PopUpButtonMirror(view, in: self)
    case let view as ComboBox: ComboBoxMirror(view, in: self)
    case let view as Link: LinkMirror(view, in: self)
    case let view as Box: BoxMirror(view, in: self)
    case let view as TabView: TabViewMirror(view, in: self)
    case let view as ScrollView: ScrollViewMirror(view, in: self)
    case let view as Form: FormMirror(view, in: self)
    case let view as StackView: StackMirror(view, in: self)
    case let view as AlertView: AlertMirror(view, in: self)
    case let view as ImageView: ImageMirror(view, in: self)
    case let view as KeyHints: KeyHintsMirror(view, in: self)
    case let view as ProgressBar: ProgressBarMirror(view, in: self)
    case let view as StatusBar: StatusBarMirror(view, in: self)
    case let view as SplitView: SplitViewMirror(view, in: self)
    case let view as MenuBar: MenuBarMirror(view, in: self)
    case let view as MenuPanel: MenuPanelMirror(view, in: self)
    default:
      if let view = view as? any CellDrawn {
        CellsMirror(view, in: self)
      } else {
        ViewMirror(view, in: self)
      }
    }
  }
}
#endif
