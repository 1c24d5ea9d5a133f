extension EventStream where Element: Sendable {
  /// Does blocking or heavy work on another context, and sends the result here.
  ///
  ///     perform(on: pool) { read() }   -----x|
  ///
  ///     EventStream.perform(on: pool) { try read(path) }.observe(next: { show($0) })
  ///
  /// *Events*: the work runs once for each observation (C6), from the moment that it is observed.
  /// What it returns is sent with completion; what it throws fails the stream. Both arrive on the
  /// context that the stream is observed on: the actor that this is called in, else that of the
  /// thread.
  ///
  /// *Disposal*: work that has not begun does not begin; of work that runs the result is dropped.
  public static func perform(
    on context: any ExecutionContext,
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () throws(Failure) -> Element
  ) -> EventStream {
    let actor: (any Actor)? = isolation
    return .unguarded { observer in
      let homeObserver = HomeObserver(observer, at: Current.context(orOf: actor))
      context.execute {
        guard !homeObserver.isCancelled else { return }
        do throws(Failure) {
          homeObserver.complete(with: try work())
        } catch {
          homeObserver.end(.failed(error))
        }
      }
    }
  }
}
