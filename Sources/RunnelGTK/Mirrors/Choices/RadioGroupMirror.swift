#if GTK
import CGTK
import RunnelDesk

/// Options of which one is selected.
final class RadioGroupMirror: ViewMirror {
  private let group: RadioGroup
  private let body = Container(name: "box", role: GTK_ACCESSIBLE_ROLE_RADIO_GROUP)
  private var options: [Widget] = []
  private let optionSignals = Signals()

  init(_ group: RadioGroup, in window: WindowMirror) {
    self.group = group
    super.init(group, in: window, body: body)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in placeOptions() }
  }

  // MARK: - Updating

  override func update() {
    if options.count != group.titles.count { makeOptions(group.titles.count) }
    super.update()
    for (option, title) in zip(options, group.titles) {
      gtk_check_button_set_label(cast(option), title)
    }
    let selected = group.selectedIndex
    for (index, option) in options.enumerated() where index != selected {
      gtk_check_button_set_active(cast(option), 0)
    }
    if let selected, options.indices.contains(selected) {
      gtk_check_button_set_active(cast(options[selected]), 1)
    }
    let places = group.places(in: group.bounds.width)
    setOverflows(places.allSatisfy { $0.maxX <= group.bounds.width }, of: [body.widget])
    gtk_widget_queue_allocate(body.widget)
  }

  /// The options have names of their own.
  override func accessibleName(_ description: Accessibility) -> String? {
    runnel_set_label(body.widget, group.ownLabel ?? "")
    return nil
  }

  private func makeOptions(_ count: Int) {
    removeOptions()
    for index in 0..<count {
      let option = made(
        runnel_new_widget(
          gtk_check_button_get_type(), "checkbutton", GTK_ACCESSIBLE_ROLE_RADIO))
      // Check buttons of one group look and behave as radio buttons.
      gtk_check_button_set_group(cast(option), options.first.map { cast($0) })
      body.add(option)
      options.append(option)
      optionSignals.connect(option, "toggled") { [weak self] _ in self?.toggled(index) }
    }
  }

  private func removeOptions() {
    optionSignals.disconnectAll()
    for option in options { gtk_widget_unparent(option) }
    options = []
  }

  private func placeOptions() {
    for (option, place) in zip(options, group.places(in: group.bounds.width)) {
      Container.give(pixels(of: place), to: option)
    }
  }

  // MARK: - Input

  private func toggled(_ index: Int) {
    guard !isUpdating, Bool(gtk_check_button_get_active(cast(options[index]))) else { return }
    group.propose(selectedIndex: index)
    refresh()
    window.backend.needsDisplay()
  }

  /// The selected option has the focus, so that the ring is around it.
  override var focusWidget: Widget {
    let index = group.selectedIndex ?? 0
    return options.indices.contains(index) ? options[index] : body.widget
  }

  private func option(at cell: Point) -> Widget? {
    let places = group.places(in: group.bounds.width)
    return zip(options, places).first { $0.1.contains(cell) }?.0
  }

  override func handlesMouse(at cell: Point) -> Bool { option(at: cell) != nil }

  override func click(at event: MouseEvent) {
    guard let option = option(at: cell(of: event)) else { return }
    gtk_widget_grab_focus(option)
    gtk_widget_activate(option)
  }

  override func texts() -> [(cell: Point, text: String)] {
    zip(options, group.places(in: group.bounds.width)).map { option, place in
      let mark = Bool(gtk_check_button_get_active(cast(option))) ? "(•)" : "( )"
      let title = text(of: gtk_check_button_get_label(cast(option)))
      return (place.origin, "\(mark) \(title)")
    }
  }

  override func end() {
    removeOptions()
    super.end()
  }
}
#endif
