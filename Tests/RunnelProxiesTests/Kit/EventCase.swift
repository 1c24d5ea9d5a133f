import RunnelProxies
import RunnelStreams

/// A requirement of the kit without an answer: its name, its key, and a call.
@MainActor
struct EventCase {
  let name: String
  let call: (any EditorDelegate, Editor) -> Void
  /// Observes the stream with and without a closure, and logs the elements.
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
    EventCase("scrollViewDidScroll(_:)", \.scrollViewDidScroll) { $0.scrollViewDidScroll($1) },
    EventCase("scrollViewWillBeginDragging(_:)", \.scrollViewWillBeginDragging) {
      $0.scrollViewWillBeginDragging($1)
    },
    EventCase(
      "scrollView(_:didEndDraggingAndWillDecelerate:)", \.scrollView_didEndDraggingAndWillDecelerate
    ) {
      $0.scrollView($1, didEndDraggingAndWillDecelerate: true)
    },
    EventCase("scrollViewWillBeginDecelerating(_:)", \.scrollViewWillBeginDecelerating) {
      $0.scrollViewWillBeginDecelerating($1)
    },
    EventCase("scrollViewDidEndDecelerating(_:)", \.scrollViewDidEndDecelerating) {
      $0.scrollViewDidEndDecelerating($1)
    },
    EventCase("scrollViewDidScrollToTop(_:)", \.scrollViewDidScrollToTop) {
      $0.scrollViewDidScrollToTop($1)
    },
    EventCase("tableView(_:didSelectRowAt:)", \.tableView_didSelectRowAt) {
      $0.tableView($1, didSelectRowAt: 3)
    },
    EventCase("tableView(_:didDeselectRowAt:)", \.tableView_didDeselectRowAt) {
      $0.tableView($1, didDeselectRowAt: 3)
    },
    EventCase("tableViewSelectionIsChanging(_:)", \.tableViewSelectionIsChanging) {
      $0.tableViewSelectionIsChanging($1)
    },
    EventCase("tableViewSelectionDidChange(_:)", \.tableViewSelectionDidChange) {
      $0.tableViewSelectionDidChange($1)
    },
    EventCase("tableView(_:willDisplay:forRowAt:)", \.tableView_willDisplay_forRowAt) {
      $0.tableView($1, willDisplay: "S", forRowAt: 3)
    },
    EventCase("tableView(_:didEndDisplaying:forRowAt:)", \.tableView_didEndDisplaying_forRowAt) {
      $0.tableView($1, didEndDisplaying: "S", forRowAt: 3)
    },
    EventCase("tableView(_:didClick:)", \.tableView_didClick) { $0.tableView($1, didClick: "S") },
    EventCase("tableView(_:didDrag:)", \.tableView_didDrag) { $0.tableView($1, didDrag: "S") },
    EventCase("tableViewColumnDidMove(_:from:to:)", \.tableViewColumnDidMove_from_to) {
      $0.tableViewColumnDidMove($1, from: 3, to: 3)
    },
    EventCase("tableViewColumnDidResize(_:column:from:)", \.tableViewColumnDidResize_column_from) {
      $0.tableViewColumnDidResize($1, column: "S", from: 2.5)
    },
    EventCase("tableView(_:sortOrdersDidChange:)", \.tableView_sortOrdersDidChange) {
      $0.tableView($1, sortOrdersDidChange: [])
    },
    EventCase("tableView(_:commit:forRowAt:)", \.tableView_commit_forRowAt) {
      $0.tableView($1, commit: .insert, forRowAt: 3)
    },
    EventCase("tableView(_:moveRowAt:to:)", \.tableView_moveRowAt_to) {
      $0.tableView($1, moveRowAt: 3, to: 3)
    },
    EventCase("outlineViewItemWillExpand(_:item:)", \.outlineViewItemWillExpand_item) {
      $0.outlineViewItemWillExpand($1, item: "S")
    },
    EventCase("outlineViewItemDidExpand(_:item:)", \.outlineViewItemDidExpand_item) {
      $0.outlineViewItemDidExpand($1, item: "S")
    },
    EventCase("outlineViewItemWillCollapse(_:item:)", \.outlineViewItemWillCollapse_item) {
      $0.outlineViewItemWillCollapse($1, item: "S")
    },
    EventCase("outlineViewItemDidCollapse(_:item:)", \.outlineViewItemDidCollapse_item) {
      $0.outlineViewItemDidCollapse($1, item: "S")
    },
    EventCase("outlineView(_:didAdd:forRowAt:)", \.outlineView_didAdd_forRowAt) {
      $0.outlineView($1, didAdd: "S", forRowAt: 3)
    },
    EventCase("outlineView(_:didRemove:forRowAt:)", \.outlineView_didRemove_forRowAt) {
      $0.outlineView($1, didRemove: "S", forRowAt: 3)
    },
    EventCase("textDidBeginEditing(_:)", \.textDidBeginEditing) { $0.textDidBeginEditing($1) },
    EventCase("textDidChange(_:)", \.textDidChange) { $0.textDidChange($1) },
    EventCase("textDidEndEditing(_:)", \.textDidEndEditing) { $0.textDidEndEditing($1) },
    EventCase("textViewDidChangeSelection(_:from:)", \.textViewDidChangeSelection_from) {
      $0.textViewDidChangeSelection($1, from: 1..<4)
    },
    EventCase("textView(_:clickedOn:at:)", \.textView_clickedOn_at) {
      $0.textView($1, clickedOn: "S", at: 3)
    },
    EventCase("editorWillClose(_:)", \.editorWillClose) { $0.editorWillClose($1) },
  ]
}
