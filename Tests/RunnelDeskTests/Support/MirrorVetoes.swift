import RunnelDesk
import RunnelProxies
import RunnelStreams

extension MirrorStage {
  /// All refusable actions of the user on controls.
  nonisolated static let vetoes =
    [ticking, moving, activating, closing, terminating, answering]
    + fieldVetoes + editorVetoes + tableVetoes + valueVetoes

  nonisolated private static let ticking = Veto(
    "tick", notification: "ticked", adopt: { $0.checkbox.delegate = $0.refuser },
    answer: { stage, may in
      stage.checkbox.rDelegate.answer(\.checkbox_shouldChangeTo) { _, _ in may() }
    }, act: { $0.backend.tick($0.checkbox) }, outcome: { "\($0.checkbox.isOn)" })

  nonisolated private static let moving = Veto(
    "move", notification: "moved", adopt: { $0.split.delegate = $0.refuser },
    answer: { stage, may in
      stage.split.rDelegate.answer(\.splitView_shouldMoveDividerTo) { _, _ in may() }
    }, act: { $0.backend.move($0.split, to: 7) }, outcome: { "\($0.split.position)" })

  nonisolated private static let activating = Veto(
    "activate", notification: "", adopt: { $0.menu.delegate = $0.refuser },
    answer: { stage, may in
      stage.menu.rDelegate.answer(\.menu_shouldActivate) { _, _ in may() }
    },
    act: { stage in if stage.item.activate() { stage.item.isChecked = true } },
    outcome: { "\($0.item.isChecked)" })

  nonisolated private static let closing = Veto(
    "close", notification: "closes", adopt: { $0.window.delegate = $0.refuser },
    answer: { stage, may in stage.window.rDelegate.answer(\.windowShouldClose) { _ in may() } },
    act: { $0.window.close() }, outcome: { "\($0.window.application == nil)" })

  nonisolated private static let terminating = Veto(
    "terminate", notification: "terminates", adopt: { $0.application.delegate = $0.refuser },
    answer: { stage, may in
      stage.application.rDelegate.answer(\.applicationShouldTerminate) { _ in may() }
    }, act: { $0.application.terminate() }, outcome: { "\($0.application.isTerminated)" })

  nonisolated private static let answering = Veto(
    "answer", notification: "answered", adopt: { $0.alert.delegate = $0.refuser },
    answer: { stage, may in
      stage.alert.rDelegate.answer(\.alert_shouldCloseWith) { _, _ in may() }
    },
    act: { stage in
      let answer = stage.alert.ask(in: stage.application).observe(succeeded: { answer in
        stage.window.title = answer?.title ?? "none"
      })
      // A native alert shows the buttons of the alert.
      let window = stage.application.keyWindow
      if let button = window?.alert?.buttons.first { window?.propose(answer: button) }
      answer.dispose()
    }, outcome: { $0.window.title })

  // MARK: - Text

  nonisolated private static let fieldVetoes = [
    Veto(
      "field begins", notification: "began", adopt: { $0.field.delegate = $0.refuser },
      answer: { stage, may in
        stage.field.rDelegate.answer(\.textFieldShouldBeginEditing) { _ in may() }
      }, act: { $0.window.makeFirstResponder($0.field) },
      outcome: { "\($0.field.isFirstResponder)" }),
    Veto(
      "field changes", notification: "changed", adopt: { $0.field.delegate = $0.refuser },
      answer: { stage, may in
        stage.field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, _ in may() }
      }, act: { $0.backend.enter("field!", in: $0.field) }, outcome: { $0.field.text }),
    Veto(
      "field ends", notification: "ended",
      adopt: { stage in
        stage.window.makeFirstResponder(stage.field)
        stage.field.delegate = stage.refuser
      },
      answer: { stage, may in
        stage.field.rDelegate.answer(\.textFieldShouldEndEditing) { _ in may() }
      }, act: { $0.window.makeFirstResponder($0.checkbox) },
      outcome: { "\($0.field.isFirstResponder)" }),
    Veto(
      "field submits", notification: "submitted", adopt: { $0.field.delegate = $0.refuser },
      answer: { stage, may in
        stage.field.rDelegate.answer(\.textField_doCommand) { _, _ in !may() }
      }, act: { _ = $0.field.perform(.insertNewline) }, outcome: { $0.window.title }),
  ]

  nonisolated private static let editorVetoes = [
    Veto(
      "editor begins", notification: "began", adopt: { $0.editor.delegate = $0.refuser },
      answer: { stage, may in
        stage.editor.rDelegate.answer(\.textViewShouldBeginEditing) { _ in may() }
      }, act: { $0.window.makeFirstResponder($0.editor) },
      outcome: { "\($0.editor.isFirstResponder)" }),
    Veto(
      "editor changes", notification: "changed", adopt: { $0.editor.delegate = $0.refuser },
      answer: { stage, may in
        stage.editor.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, _ in may() }
      }, act: { $0.backend.enter("one\n2\ntwo", in: $0.editor) }, outcome: { $0.editor.text }),
    Veto(
      "editor ends", notification: "ended",
      adopt: { stage in
        stage.window.makeFirstResponder(stage.editor)
        stage.editor.delegate = stage.refuser
      },
      answer: { stage, may in
        stage.editor.rDelegate.answer(\.textViewShouldEndEditing) { _ in may() }
      }, act: { $0.window.makeFirstResponder($0.checkbox) },
      outcome: { "\($0.editor.isFirstResponder)" }),
    Veto(
      "editor obeys", notification: "", adopt: { $0.editor.delegate = $0.refuser },
      answer: { stage, may in
        stage.editor.rDelegate.answer(\.textView_doCommand) { _, _ in !may() }
      }, act: { _ = $0.editor.perform(.selectAll) }, outcome: { "\($0.editor.selection)" }),
  ]

  // MARK: - Tables

  nonisolated private static func table(
    _ name: String, notification: String = "selected",
    answer: @escaping @MainActor (TableViewDelegateProxy, @escaping () -> Bool) -> Disposable,
    act: @escaping @MainActor (MirrorStage) -> Void,
    outcome: @escaping @MainActor (MirrorStage) -> String
  ) -> Veto {
    Veto(
      name, notification: notification, adopt: { $0.table.delegate = $0.refuser },
      answer: { answer($0.table.rDelegate, $1) }, act: act, outcome: outcome)
  }

  nonisolated private static let tableVetoes = [
    table(
      "select row",
      answer: { proxy, may in proxy.answer(\.tableView_shouldSelectRow) { _, _ in may() } },
      act: { $0.backend.select(RangeSet(1..<2), in: $0.table) },
      outcome: { "\($0.table.selectedRows)" }),
    table(
      "select",
      answer: { proxy, may in proxy.answer(\.tableView_shouldChangeSelectionTo) { _, _ in may() } },
      act: { $0.backend.select(RangeSet(0..<2), in: $0.table) },
      outcome: { "\($0.table.selectedRows)" }),
    table(
      "edit", notification: "edits",
      answer: { proxy, may in proxy.answer(\.tableView_shouldEditRow) { _, _ in may() } },
      act: { stage in if stage.table.beginEditing(row: 2) { stage.window.title = "edits" } },
      outcome: { $0.window.title }),
    table(
      "sort", notification: "sorted",
      answer: { proxy, may in proxy.answer(\.tableView_shouldSortBy) { _, _ in may() } },
      act: { $0.backend.sort($0.table, by: TableSort("b", isAscending: false)) },
      outcome: { "\($0.table.sort?.column ?? "")" }),
    table(
      "click header", notification: "sorted",
      answer: { proxy, may in proxy.answer(\.tableView_shouldSortBy) { _, _ in may() } },
      act: { $0.table.clickHeader(of: $0.table.columns[0]) },
      outcome: { "\($0.table.sort?.column ?? "")" }),
    table(
      "resize", notification: "resized",
      answer: { proxy, may in proxy.answer(\.tableView_shouldResize_to) { _, _, _ in may() } },
      act: { $0.backend.resize(0, of: $0.table, to: 8) }, outcome: { "\($0.table.columns)" }),
    table(
      "obey",
      answer: { proxy, may in proxy.answer(\.tableView_doCommand) { _, _ in !may() } },
      act: { _ = $0.table.perform(.selectAll) }, outcome: { "\($0.table.selectedRows)" }),
  ]
}
