extension EventStream where Element: Sendable {
  /// Returns a stream that does blocking or heavy work on another context, and sends its result.
  ///
  ///     perform(on: pool) { read() }   -----x|
  ///
  ///     EventStream.perform(on: pool) { try read(path) }.observe(next: { show($0) })
  ///
  /// *Events*: the work runs once for each observation (C6). Its result is sent with completion; an
  /// error that it throws fails the stream. Both arrive on the context that the stream is observed
  /// on: the actor that this method is called in, or else the thread's context.
  ///
  /// *Disposal*: work that has not begun is cancelled. The result of work that is running is
  /// dropped.
  public static func perform(
    on context: any ExecutionContext,
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () throws(Failure) -> Element
  ) -> EventStream {
    let actor: (any Actor)? = isolation
    return .unguarded { observer in
      let homeObserver = HomeObserver(
        observer, at: Current.context(orOf: actor), isWork: true)
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
