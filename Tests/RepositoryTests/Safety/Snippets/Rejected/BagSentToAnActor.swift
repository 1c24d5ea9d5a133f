// expect: sending 'self.bag' risks causing data races
import RunnelStreams

actor Worker {
  func keep(_ bag: DisposeBag) {}
}

@MainActor final class Model {
  let bag = DisposeBag()

  func give(to worker: Worker) async { await worker.keep(bag) }
}
