/// A flag that decides whether elements pass.
@usableFromInline
final class Gate {
  @usableFromInline @exclusivity(unchecked) var isOpen: Bool

  @inlinable
  init(isOpen: Bool) {
    self.isOpen = isOpen
  }
}

extension EventStream {
  /// Sends the elements of a source that arrive while a gate is open.
  ///
  /// `control` starts whatever opens and closes the gate, in a disposable of its own, which is disposed
  /// when the source has ended.
  @inlinable
  static func gated(
    _ source: EventStream, isOpen: Bool, afterSteps steps: Int = 0,
    by control: @escaping (Gate, Disposable) -> Void
  ) -> EventStream {
    .unguarded(afterSteps: max(source.steps, steps)) { observer in
      let gate = Gate(isOpen: isOpen)
      let controlling = Disposable()
      observer.observation.add(controlling)
      control(gate, controlling)
      source.start(
        Observer(
          next: { element in
            if gate.isOpen { observer.next(element) }
          },
          end: { termination in
            observer.end(termination)
            controlling.dispose()
          }, observation: observer.observation))
    }
  }
}
