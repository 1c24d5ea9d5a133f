// expect: capture of 'observer' with non-Sendable type
import RunnelStreams

func ticks(_ pool: any ExecutionContext) -> EventStream<Int, Never> {
  EventStream { observer in
    pool.execute { observer.next(1) }
    return .none
  }
}
