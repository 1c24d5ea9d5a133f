import RunnelStreams

struct Missing: Error {}

@MainActor final class Model {
  var text = ""
  let bag = DisposeBag()

  func load(_ path: String, _ pool: any ExecutionContext) {
    EventStream.perform(on: pool) { () throws(Missing) in
      if path.isEmpty { throw Missing() }
      return path
    }
    .observe(next: { self.text = $0 }, failed: { _ in self.text = "" })
    .disposed(by: bag)
  }
}
