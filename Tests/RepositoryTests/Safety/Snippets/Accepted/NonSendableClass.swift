import RunnelStreams

final class Editor {
  let text = Property("")
  let bag = DisposeBag()
  var lengths: [Int] = []

  func start() {
    text.map { $0.count }.observeNext { self.lengths.append($0) }.disposed(by: bag)
  }
}
