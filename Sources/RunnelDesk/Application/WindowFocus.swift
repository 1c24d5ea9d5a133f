// Which view of a window has the focus, and which one gets it next.
extension Window {
  /// Gives the focus to a view of the window, or takes it from all. Returns whether it has it then: the
  /// one that has it may keep it, and the other one may not want it.
  @discardableResult
  public func makeFirstResponder(_ view: View?) -> Bool {
    if view === firstResponder { return true }
    guard let view else { return release() && moveFocus(to: nil) }
    return canHaveFocus(view) && release() && offer(to: view)
  }

  /// The views that Tab goes through, in order: those that can have the focus, as one reads, or those
  /// that were set.
  public var focusOrder: [View] {
    get { (ownFocusOrder ?? root.tree).filter(canHaveFocus) }
    // The old views are released afterwards: one that goes may ask for the order.
    set { _ = exchange(&ownFocusOrder, with: newValue) }
  }

  /// Moves the focus to the next view, or to the one before. Returns whether it has moved.
  @discardableResult
  public func moveFocus(forward: Bool) -> Bool {
    let order = forward ? focusOrder : focusOrder.reversed()
    let start = order.firstIndex { $0 === firstResponder }.map { $0 + 1 } ?? 0
    let others = (order[start...] + order[..<start]).filter { $0 !== firstResponder }
    guard !others.isEmpty, release() else { return false }
    let former = firstResponder
    for view in others where canHaveFocus(view) {
      if offer(to: view) { return true }
      if firstResponder !== former { return false }
    }
    return false
  }

  private func canHaveFocus(_ view: View) -> Bool {
    view.window === self && view.canBecomeFirstResponder && view.isAvailable
  }

  /// Asks the view that has the focus to let go of it.
  private func release() -> Bool {
    guard let former = firstResponder else { return true }
    // It may have moved the focus while it was asked.
    return former.shouldResignFirstResponder() && firstResponder === former
  }

  /// Gives a view the focus, if it wants it.
  private func offer(to view: View) -> Bool {
    let former = firstResponder
    guard view.shouldBecomeFirstResponder(), firstResponder === former, canHaveFocus(view) else {
      return firstResponder === view
    }
    return moveFocus(to: view)
  }

  private func moveFocus(to view: View?) -> Bool {
    firstResponder = view
    needsDisplay()
    if let former = toldResponder {
      toldResponder = nil
      former.didResignFirstResponder()
    }
    // Who was told may have moved the focus, and then the other view has heard of it.
    guard firstResponder === view, toldResponder == nil else { return firstResponder === view }
    toldResponder = view
    view?.didBecomeFirstResponder()
    guard firstResponder === view else { return false }
    delegate?.window(self, didMoveFocusTo: view)
    return firstResponder === view
  }

  /// A view came, went, was hidden or disabled: what has the focus may not be there any more.
  func availabilityChanged() {
    needsDisplay()
    if let menuBar, menuBar.window !== self || !menuBar.isAvailable { menuBar.close() }
    guard let former = firstResponder, !canHaveFocus(former) else { return }
    let next = focusOrder.first { $0.shouldBecomeFirstResponder() }
    if firstResponder === former { _ = moveFocus(to: next.flatMap { canHaveFocus($0) ? $0 : nil }) }
  }

  /// A button of the mouse went down in a view: it, or the first around it that can, gets the focus.
  /// Returns whether the view may hear of it.
  func focus(for view: View) -> Bool {
    let taker = sequence(first: view, next: \.superview).first { $0.canBecomeFirstResponder }
    return taker.map(makeFirstResponder) ?? true
  }
}
