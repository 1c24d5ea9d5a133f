extension Connectable {
  /// Connects when the given number of observers has been added, and stays connected.
  ///
  ///     first observer    ^
  ///     second observer   ----^
  ///     source                --1--2--|
  ///     autoconnect(2)    ------1--2--|
  ///
  ///     let page = api.load().publish().autoconnect(2)
  ///     page.observe(next: { show($0) })
  ///     page.observe(next: { save($0) })  // loads the page, once
  ///
  /// *Events*: observers that have left are counted too. The stream connects only once. An observer
  /// that is added after the source has ended receives the replayed elements, then the end.
  ///
  /// *Disposal*: the connection ends only with the source. To disconnect when the last observer
  /// leaves, use ``refCount()``. A number below 1 traps.
  public func autoconnect(
    _ observers: Int = 1, file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Element, Failure> {
    require(
      observers > 0,
      "autoconnect(_:) needs at least 1 observer. To connect without any, call connect().")
    let connector = Autoconnector(
      self, waitingFor: observers, at: SourceLocation(file: file, line: line))
    return .unguarded(after: source) { connector.add($0) }
  }
}

private final class Autoconnector<Element, Failure: Error> {
  private enum State {
    /// The number of observers that are still missing.
    case waiting(Int)
    /// The stream has been connected. All later observers are added to this session.
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
      let session = connectable.currentOrNewSession()
      state = .connected(session)
      session.hub.add(observer)
      guard connectable.session === session else { return }
      connectable.connect(file: location.file, line: location.line)
    case .waiting(let missing):
      state = .waiting(missing - 1)
      connectable.currentOrNewSession().hub.add(observer)
    }
  }
}
