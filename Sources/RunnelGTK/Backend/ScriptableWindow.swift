#if GTK
  import CGTK
  import RunnelDesk

  extension View {
    /// The part of the window that the view and all views around it occupy.
    fileprivate var visibleFrame: Rect {
      sequence(first: self, next: \.superview).reduce(frameInWindow) {
        $0.intersection($1.frameInWindow)
      }
    }
  }

  // A window that a script controls.
  extension GTKBackend: ScriptableBackend {
    /// The texts of all widgets of the front window, each at its cell.
    ///
    /// The texts are those that the widgets show, not those of the application's views. Borders and
    /// other decorations are left out.
    public var grid: Grid {
      sync()
      guard let window = windows.last else { return Grid(size) }
      var grid = Grid(window.window.style == .full ? window.size : size)
      let origin = window.window.style == .dialog ? window.window.rootView.frame.origin : .zero
      window.forEachMirror { mirror in
        let widget = mirror.container.widget
        guard Bool(gtk_widget_get_mapped(widget)) else { return }
        let frame = mirror.view.frameInWindow
        let clip = Rect(
          x: frame.minX, y: frame.minY, width: frame.width, height: frame.height)
        let metrics = window.metrics
        for text in mirror.texts() {
          let cell = metrics.cell(x: text.x + metrics.width / 2, y: text.y + metrics.height / 2)
          grid.put(text.text, at: Point(x: clip.minX + cell.x, y: clip.minY + cell.y), in: mirror.view.visibleFrame)
        }
        if mirror.view.isFirstResponder { grid.cursor = clip.origin }
      }
      _ = origin
      return grid
    }

    /// Delivers an input event. Text goes to the native widget with the focus, and clicks go to the
    /// native widget at the cell.
    public func send(_ event: InputEvent) {
      sync()
      guard let window = windows.last else { return }
      switch event {
      case .key(let press): window.input.press(press)
      case .mouse(let event): window.input.deliver(event)
      case .resize(let size): window.resize(to: size)
      case .paste, .focus: application?.handle(event)
      }
      sync()
    }
  }
#endif
