extension Connectable {
  /// Connects by itself when a number of observers have come, and stays connected.
  ///
  ///     first observer    ^
  ///     second observer   ----^
  ///     source                --1--2--|
  ///     autoconnect(2)    ------1--2--|
  ///
  ///     let page = api.load().publish().autoconnect(2)
  ///     page.observe(next: { show($0) })
  ///     page.observe(next: { save($0) })  // now the page is loaded, once
  ///
  /// *Events*: those who have left again count as well. It connects once: who observes after the
  /// source has ended gets what is kept, then the end.
  ///
  /// *Disposal*: nothing but the end of the source ends the connection; ``refCount()`` is what
  /// disconnects when nobody observes any more. A number below one traps.
  public func autoconnect(
    _ observers: Int = 1, file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Element, Failure> {
    require(
      observers > 0,
      "autoconnect(_:) waits for at least 1 observer. To connect without any, call connect().")
    let connecting = Autoconnecting(
      self, waitingFor: observers, at: SourceLocation(file: file, line: line))
    return .unguarded { connecting.add($0) }
  }
}

private final class Autoconnecting<Element, Failure: Error> {
  private enum State {
    /// So many observers are still to come.
    case waiting(Int)
    /// It was connected; all who come later belong to that connection.
    case connected(Connectable<Element, Failure>.Session)
  }

  private let connectable: Connectable<Element, Failure>
  private let location: SourceLocation
  private var state: State

  init(
    _ connectable: Connectable<Element, Failure>, waitingFor count: Int,
    at location: SourceLocation
  ) {
    self.connectable = connectable
    self.location = location
    state = .waiting(count)
  }

  func add(_ observer: Observer<Element, Failure>) {
    switch state {
    case .connected(let session):
      session.hub.add(observer)
    case .waiting(1):
      let session = connectable.upcoming()
      state = .connected(session)
      session.hub.add(observer)
      guard connectable.session === session else { return }
      connectable.connect(file: location.file, line: location.line)
    case .waiting(let missing):
      state = .waiting(missing - 1)
      connectable.upcoming().hub.add(observer)
    }
  }
}
