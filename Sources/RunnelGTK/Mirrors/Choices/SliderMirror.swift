#if GTK
import CGTK
import RunnelDesk

/// A number in a range. The mouse drags the knob by pixels.
final class SliderMirror: ViewMirror {
  private let slider: Slider
  private let adjustment = made(gtk_adjustment_new(0, 0, 1, 0.01, 0.1, 0))

  init(_ slider: Slider, in window: WindowMirror) {
    self.slider = slider
    let scale = made(gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, adjustment))
    super.init(slider, in: window, native: scale)
    gtk_scale_set_draw_value(cast(scale), 0)
    // The slider rounds, not the scale.
    gtk_range_set_round_digits(cast(scale), -1)
    signals.connect(adjustment, "value-changed") { [weak self] _ in self?.moved() }
  }

  override func update() {
    super.update()
    let (range, step) = (slider.range, slider.step ?? 0)
    let length = range.upperBound - range.lowerBound
    gtk_adjustment_configure(
      adjustment, slider.value, range.lowerBound, range.upperBound, max(step, length / 100),
      max(step, length / 10), 0)
  }

  private func moved() {
    if isUpdating { return }
    slider.propose(value: gtk_adjustment_get_value(adjustment))
    refresh()
    window.backend.needsDisplay()
  }

  override var handlesMouse: Bool { true }

  override func texts() -> [(cell: Point, text: String)] {
    let length = slider.range.upperBound - slider.range.lowerBound
    let part =
      length > 0 ? (gtk_adjustment_get_value(adjustment) - slider.range.lowerBound) / length : 0
    let columns = max(slider.bounds.width - 1, 0)
    let knob = Int((part * Double(columns)).rounded())
    let line = String(repeating: "━", count: knob) + "●"
    return [(.zero, line + String(repeating: "─", count: max(columns - knob, 0)))]
  }
}
#endif
