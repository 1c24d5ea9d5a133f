// Focus: the first responder of a window and the order in which Tab reaches views.
extension Window {
  /// Moves the focus to a view of the window, or to no view for nil.
  ///
  /// Returns true if the view then has the focus. The focused view may refuse to resign, and the
  /// other one may refuse to become first responder.
  @discardableResult
  public func makeFirstResponder(_ view: View?) -> Bool {
    if view === firstResponder { return true }
    guard let view else { return release() && moveFocus(to: nil) }
    return canHaveFocus(view) && release() && offer(to: view)
  }

  /// The focusable views in the order in which Tab reaches them. The default is reading order.
  public var focusOrder: [View] {
    get { (ownFocusOrder ?? root.tree).filter(canHaveFocus) }
    // The old views are released after the exchange: their deinitialisers may read the order.
    set { _ = exchange(&ownFocusOrder, with: newValue) }
  }

  /// Moves the focus to the next or previous view, as Tab and Shift+Tab do. A ``TextField`` then
  /// selects its text. Returns true if the focus moved.
  @discardableResult
  public func moveFocus(forward: Bool) -> Bool {
    let order = forward ? focusOrder : focusOrder.reversed()
    let start = order.firstIndex { $0 === firstResponder }.map { $0 + 1 } ?? 0
    let others = (order[start...] + order[..<start]).filter { $0 !== firstResponder }
    guard !others.isEmpty, release() else { return false }
    let former = firstResponder
    for view in others where canHaveFocus(view) {
      if offer(to: view, inOrder: true) { return true }
      if firstResponder !== former { return false }
    }
    return false
  }

  private func canHaveFocus(_ view: View) -> Bool {
    view.window === self && view.canBecomeFirstResponder && view.isAvailable
  }

  /// Asks the focused view to resign. Returns true if it agrees.
  private func release() -> Bool {
    guard let former = firstResponder else { return true }
    // The view may have moved the focus while it was asked.
    return former.shouldResignFirstResponder() && firstResponder === former
  }

  /// Moves the focus to a view if the view agrees. `inOrder` is true if the focus moves along the
  /// focus order.
  private func offer(to view: View, inOrder: Bool = false) -> Bool {
    let former = firstResponder
    guard view.shouldBecomeFirstResponder(), firstResponder === former, canHaveFocus(view) else {
      return firstResponder === view
    }
    return moveFocus(to: view, inOrder: inOrder)
  }

  private func moveFocus(to view: View?, inOrder: Bool = false) -> Bool {
    firstResponder = view
    needsDisplay()
    if let former = notifiedResponder {
      notifiedResponder = nil
      former.didResignFirstResponder()
    }
    // A callback may have moved the focus; that view has been informed already.
    guard firstResponder === view, notifiedResponder == nil else { return firstResponder === view }
    notifiedResponder = view
    if inOrder { view?.focusEntersInOrder() }
    view?.didBecomeFirstResponder()
    guard firstResponder === view else { return false }
    delegate?.window(self, didMoveFocusTo: view)
    return firstResponder === view
  }

  /// Updates the focus after a view was added, removed, hidden or disabled.
  func availabilityChanged() {
    needsDisplay()
    menuPanel?.closeIfUnavailable()
    guard let former = firstResponder, !canHaveFocus(former) else { return }
    let next = focusOrder.first { $0.shouldBecomeFirstResponder() }
    if firstResponder === former { _ = moveFocus(to: next.flatMap { canHaveFocus($0) ? $0 : nil }) }
  }

  /// Moves the focus to a view that was clicked, or to its nearest focusable ancestor. The page of a
  /// tab does not focus the titles. Returns true if the view may receive the click.
  func focus(for view: View) -> Bool {
    let chain = sequence(first: view) { $0 is TabPage ? nil : $0.superview }
    let taker = chain.first { $0.canBecomeFirstResponder }
    return taker.map(makeFirstResponder) ?? true
  }
}
