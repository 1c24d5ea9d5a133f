extension EventStream where Element: Sendable {
  /// Returns a stream that runs an async closure when observed, and sends its result.
  ///
  ///     task { await load() }   -----x|
  ///
  ///     EventStream.task { try await api.page(7) }.observe(next: { show($0) })
  ///
  /// *Events*: each observation runs the closure in a task of its own (C6). Its result is sent with
  /// completion; an error that it throws fails the stream. Both arrive on the context that the
  /// stream is observed on: the actor that this method is called in, or else the thread's context.
  ///
  /// *Disposal*: cancels the task and drops its result.
  public static func task(
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () async throws(Failure) -> Element
  ) -> EventStream {
    let actor: (any Actor)? = isolation
    return .unguarded { observer in
      let homeObserver = HomeObserver(
        observer, at: Current.context(orOf: actor), isWork: true)
      let task = Task.detached(priority: priority) {
        do throws(Failure) {
          homeObserver.complete(with: try await work())
        } catch {
          homeObserver.end(.failed(error))
        }
      }
      observer.observation.add { task.cancel() }
    }
  }

  /// Creates a stream of the elements of an async sequence.
  ///
  ///     EventStream(sequence)   --1----2--3--|
  ///
  ///     EventStream(feed).observeNext { show($0) }
  ///
  /// *Events*: each observation iterates over the sequence in a task of its own. If the sequence
  /// can be iterated only once, so can the stream. The task requests the next element after the
  /// observer has handled the previous one, so a slow observer slows the sequence down. Events
  /// arrive on the context that the stream is observed on: the actor that this initialiser is
  /// called in, or else the thread's context.
  ///
  /// *Disposal*: cancels the task, and with it the iteration.
  public init<Source: AsyncSequence & Sendable>(
    _ sequence: Source, isolation: isolated (any Actor)? = #isolation
  ) where Source.Element == Element, Source.Failure == Failure {
    let actor: (any Actor)? = isolation
    self = .unguarded { observer in
      let homeObserver = HomeObserver(
        observer, at: Current.context(orOf: actor), isWork: true)
      let task = Task.detached {
        do throws(Failure) {
          for try await element in sequence {
            guard await homeObserver.handOver(element) else { return }
          }
          homeObserver.end(.completed)
        } catch {
          homeObserver.end(.failed(error))
        }
      }
      observer.observation.add { task.cancel() }
    }
  }
}
