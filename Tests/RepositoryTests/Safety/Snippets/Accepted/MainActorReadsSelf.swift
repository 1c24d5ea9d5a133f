import RunnelStreams

@MainActor final class Model {
  var prefix = ">"
  var shown: [String] = []
  let names = PushStream<String>()
  let bag = DisposeBag()

  func start() {
    names.map { self.prefix + $0 }.filter { $0 != self.prefix }
      .observeNext { self.shown.append($0) }
      .disposed(by: bag)
  }
}
