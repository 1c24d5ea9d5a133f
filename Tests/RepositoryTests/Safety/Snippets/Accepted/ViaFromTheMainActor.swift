import RunnelStreams

@MainActor final class Model {
  var shown: [Int] = []
  let names = PushStream<String>()
  let bag = DisposeBag()

  func start(_ loop: any ExecutionContext) {
    names.via(loop) { $0.filter { !$0.isEmpty }.map { $0.count } }
      .observeNext { self.shown.append($0) }
      .disposed(by: bag)
  }
}
