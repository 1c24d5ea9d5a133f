#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The application ends while a widget proposes something.
  @MainActor
  @Suite struct EndingTests {
    enum Proposal: CaseIterable {
      case press, tick, typeInField, typeInEditor, deleteInEditor, selectInField, selectInEditor,
        key
    }

    @Test(arguments: Proposal.allCases)
    func applicationEndsInAProposal(_ proposal: Proposal) throws {
      let counter = ObjectCounter()
      try Self.end(in: proposal, counter)
      while Bool(g_main_context_iteration(nil, 0)) {}
      #expect(counter.livingWidgets == [])
      #expect(counter.livingObjects == [])
    }

    private static func end(in proposal: Proposal, _ counter: ObjectCounter) throws {
      let (button, checkbox) = (Button("Button"), Checkbox("Check"))
      let (field, editor) = (TextField("text"), TextView("one\ntwo"))
      let app = try TestApp(StackView(.vertical, [button, checkbox, field, editor]))
      let application = app.application
      let isSelecting = proposal == .selectInField || proposal == .selectInEditor
      let mayEnd = { if !isSelecting { application.end() } }
      button.rx.tap.observeNext(mayEnd)
      checkbox.rx.isOn.changed.observeNext { _ in mayEnd() }
      field.rx.didChange.observeNext(mayEnd)
      editor.rx.didChange.observeNext(mayEnd)
      app.window.makeFirstResponder(proposal == .typeInField ? field : editor)
      app.settle()
      let mirror = try #require(app.backend.windows.last)
      counter.add(mirror)
      mirror.forEachMirror { counter.add($0) }
      counter.add(widgetsIn: mirror.widget)
      if isSelecting {
        field.rx.selection.changed.observeNext { _ in application.end() }
        editor.rx.selection.changed.observeNext { _ in application.end() }
      }
      let buffer = gtk_text_view_get_buffer(cast(try app.mirror(editor).focusWidget))
      switch proposal {
      case .press: runnel_click(try app.native(button))
      case .tick: gtk_check_button_set_active(cast(try app.native(checkbox)), 1)
      case .typeInField: try app.mirror(field).type("x")
      case .typeInEditor: try app.mirror(editor).type("x")
      case .deleteInEditor:
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        gtk_text_iter_backward_char(&end)
        gtk_text_buffer_delete(buffer, &start, &end)
      case .selectInField:
        gtk_editable_select_region(
          made(gtk_editable_get_delegate(cast(try app.native(field)))), 1, 3)
      case .selectInEditor:
        runnel_move_cursor(try app.mirror(editor).focusWidget, GTK_MOVEMENT_BUFFER_ENDS, 1, 1)
      case .key: app.backend.send(.key(try #require(KeyPress("ctrl+q"))))
      }
      #expect(application.isTerminated)
      #expect(app.backend.windows.isEmpty)
    }
  }
}
#endif
