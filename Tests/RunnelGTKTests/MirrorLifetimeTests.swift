#if GTK
import CGTK
import RunnelDesk
import RunnelStreams
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct MirrorLifetimeTests {
    nonisolated private static let makers: [(name: String, make: @Sendable @MainActor () -> View)] =
      [
        ("radio group", { RadioGroup(["A", "B"], selectedIndex: 0) }),
        ("switch", { Switch("A") }), ("slider", { Slider(0.5) }), ("stepper", { Stepper(1) }),
        ("pop-up button", { PopUpButton(["A"]) }), ("combo box", { ComboBox(choices: ["A"]) }),
        ("link", { Link("A") }), ("box", { Box("A", Label("B")) }),
        ("tabs", { TabView(["A": Label("B"), "C": Button("D")]) }),
        ("scroll view", { ScrollView(Label("A\nB\nC")) }),
        ("form", { Form(["A": TextField(), "B": Checkbox("C")]) }),
        (
          "picture",
          { ImageView(PixelImage(size: Size(width: 2, height: 2), filledWith: .init(9, 9, 9))) }
        ),
        ("key hints", { KeyHints() }),
      ]

    @Test(arguments: makers.indices, [(0, 0), (1, 1), (3, 1), (2, 5), (90, 40)])
    func anySizeCanBeShown(_ index: Int, _ size: (width: Int, height: Int)) throws {
      let view = Self.makers[index].make()
      (view.width, view.height) = size
      let app = try TestApp(
        StackView(.vertical, [StackView(.horizontal, [view, View()]), Button("OK")]))
      defer { app.end() }
      app.click(view)
      try app.press("tab")
      let mirror = try #require(app.mirror(of: view))
      let area = mirror.window.metrics.pixels(of: view.frameInWindow)
      #expect(view.bounds.width <= size.width && view.bounds.height <= 11)
      if mirror.isMeasured { return }
      // Each parent rounds the edges of its children.
      #expect(abs(gtk_widget_get_width(mirror.container.widget) - area.width) <= 1)
      #expect(abs(gtk_widget_get_height(mirror.container.widget) - area.height) <= 1)
    }

    @Test("A removed view leaves no mirror and no widget", arguments: makers.indices)
    func aRemovedViewLeavesNothing(_ index: Int) throws {
      let stack = StackView(.vertical, [Button("OK")])
      let app = try TestApp(stack)
      defer { app.end() }
      var view: View? = Self.makers[index].make()
      weak let former = view
      if let view { stack.addSubview(view) }
      app.settle()
      // Used, so that handlers have run.
      if let view { app.click(view) }
      try app.press("escape")
      weak let mirror = view.flatMap { app.mirror(of: $0) }
      let widgets = WeakWidgets(view.flatMap { app.mirror(of: $0) }?.container.widget)
      #expect(mirror != nil && widgets.count > 1)
      app.window.makeFirstResponder(stack.subviews[0])
      view?.removeFromSuperview()
      view = nil
      app.settle { widgets.count == 0 }
      #expect(mirror == nil, "\(Self.makers[index].name)")
      #expect(former == nil, "\(Self.makers[index].name)")
      #expect(widgets.count == 0, "\(Self.makers[index].name): \(widgets.names)")
      widgets.end()
    }
  }
}

/// Pointers to widgets that become nil when these are released.
@MainActor
private final class WeakWidgets {
  private let pointers: UnsafeMutableBufferPointer<gpointer?>

  init(_ root: Widget?) {
    let all = root.map { [$0] + [Widget](below: $0) } ?? []
    pointers = .allocate(capacity: all.count)
    _ = pointers.initialize(from: all.map { gpointer($0) })
    for index in all.indices {
      if let base = pointers.baseAddress {
        g_object_add_weak_pointer(cast(all[index]), base + index)
      }
    }
  }

  var count: Int { pointers.count { $0 != nil } }

  var names: [String] {
    pointers.compactMap { pointer in
      pointer.map {
        text(of: g_type_name_from_instance($0.assumingMemoryBound(to: GTypeInstance.self)))
      }
    }
  }

  func end() { pointers.deallocate() }
}
#endif
