import RunnelProxies
import RunnelStreams

/// A requirement of the kit that tells: its name, its key, and a call of it.
@MainActor
struct Told {
  let name: String
  let call: (any EditorDelegate, Editor) -> Void
  /// Observes without a closure and with one, and logs what arrives.
  let observe: (EditorDelegateProxy, @escaping (String) -> Void) -> Disposable

  init<each Argument>(
    _ name: String,
    _ key: KeyPath<EditorDelegateProxy.Requirements, EventRequirement<repeat each Argument>>,
    call: @escaping @MainActor (any EditorDelegate, Editor) -> Void
  ) {
    self.name = name
    self.call = { call($0, $1) }
    observe = { proxy, log in
      let bag = CompositeDisposable()
      bag.add(
        proxy.stream(key).observeNext { (argument: (repeat each Argument)) in
          log("tuple \(arguments(repeat each argument))")
        })
      let texts: EventStream<String, Never> = proxy.stream(key) {
        (push, argument: repeat each Argument) in
        push.next("closure \(arguments(repeat each argument))")
      }
      bag.add(texts.observeNext(log))
      return Disposable { bag.dispose() }
    }
  }

  static let all = [
    Told("scrollViewDidScroll(_:)", \.scrollViewDidScroll) { $0.scrollViewDidScroll($1) },
    Told("scrollViewWillBeginDragging(_:)", \.scrollViewWillBeginDragging) {
      $0.scrollViewWillBeginDragging($1)
    },
    Told(
      "scrollView(_:didEndDraggingAndWillDecelerate:)", \.scrollView_didEndDraggingAndWillDecelerate
    ) {
      $0.scrollView($1, didEndDraggingAndWillDecelerate: true)
    },
    Told("scrollViewWillBeginDecelerating(_:)", \.scrollViewWillBeginDecelerating) {
      $0.scrollViewWillBeginDecelerating($1)
    },
    Told("scrollViewDidEndDecelerating(_:)", \.scrollViewDidEndDecelerating) {
      $0.scrollViewDidEndDecelerating($1)
    },
    Told("scrollViewDidScrollToTop(_:)", \.scrollViewDidScrollToTop) {
      $0.scrollViewDidScrollToTop($1)
    },
    Told("tableView(_:didSelectRowAt:)", \.tableView_didSelectRowAt) {
      $0.tableView($1, didSelectRowAt: 3)
    },
    Told("tableView(_:didDeselectRowAt:)", \.tableView_didDeselectRowAt) {
      $0.tableView($1, didDeselectRowAt: 3)
    },
    Told("tableViewSelectionIsChanging(_:)", \.tableViewSelectionIsChanging) {
      $0.tableViewSelectionIsChanging($1)
    },
    Told("tableViewSelectionDidChange(_:)", \.tableViewSelectionDidChange) {
      $0.tableViewSelectionDidChange($1)
    },
    Told("tableView(_:willDisplay:forRowAt:)", \.tableView_willDisplay_forRowAt) {
      $0.tableView($1, willDisplay: "S", forRowAt: 3)
    },
    Told("tableView(_:didEndDisplaying:forRowAt:)", \.tableView_didEndDisplaying_forRowAt) {
      $0.tableView($1, didEndDisplaying: "S", forRowAt: 3)
    },
    Told("tableView(_:didClick:)", \.tableView_didClick) { $0.tableView($1, didClick: "S") },
    Told("tableView(_:didDrag:)", \.tableView_didDrag) { $0.tableView($1, didDrag: "S") },
    Told("tableViewColumnDidMove(_:from:to:)", \.tableViewColumnDidMove_from_to) {
      $0.tableViewColumnDidMove($1, from: 3, to: 3)
    },
    Told("tableViewColumnDidResize(_:column:from:)", \.tableViewColumnDidResize_column_from) {
      $0.tableViewColumnDidResize($1, column: "S", from: 2.5)
    },
    Told("tableView(_:sortOrdersDidChange:)", \.tableView_sortOrdersDidChange) {
      $0.tableView($1, sortOrdersDidChange: [])
    },
    Told("tableView(_:commit:forRowAt:)", \.tableView_commit_forRowAt) {
      $0.tableView($1, commit: .insert, forRowAt: 3)
    },
    Told("tableView(_:moveRowAt:to:)", \.tableView_moveRowAt_to) {
      $0.tableView($1, moveRowAt: 3, to: 3)
    },
    Told("outlineViewItemWillExpand(_:item:)", \.outlineViewItemWillExpand_item) {
      $0.outlineViewItemWillExpand($1, item: "S")
    },
    Told("outlineViewItemDidExpand(_:item:)", \.outlineViewItemDidExpand_item) {
      $0.outlineViewItemDidExpand($1, item: "S")
    },
    Told("outlineViewItemWillCollapse(_:item:)", \.outlineViewItemWillCollapse_item) {
      $0.outlineViewItemWillCollapse($1, item: "S")
    },
    Told("outlineViewItemDidCollapse(_:item:)", \.outlineViewItemDidCollapse_item) {
      $0.outlineViewItemDidCollapse($1, item: "S")
    },
    Told("outlineView(_:didAdd:forRowAt:)", \.outlineView_didAdd_forRowAt) {
      $0.outlineView($1, didAdd: "S", forRowAt: 3)
    },
    Told("outlineView(_:didRemove:forRowAt:)", \.outlineView_didRemove_forRowAt) {
      $0.outlineView($1, didRemove: "S", forRowAt: 3)
    },
    Told("textDidBeginEditing(_:)", \.textDidBeginEditing) { $0.textDidBeginEditing($1) },
    Told("textDidChange(_:)", \.textDidChange) { $0.textDidChange($1) },
    Told("textDidEndEditing(_:)", \.textDidEndEditing) { $0.textDidEndEditing($1) },
    Told("textViewDidChangeSelection(_:from:)", \.textViewDidChangeSelection_from) {
      $0.textViewDidChangeSelection($1, from: 1..<4)
    },
    Told("textView(_:clickedOn:at:)", \.textView_clickedOn_at) {
      $0.textView($1, clickedOn: "S", at: 3)
    },
    Told("editorWillClose(_:)", \.editorWillClose) { $0.editorWillClose($1) },
  ]
}
