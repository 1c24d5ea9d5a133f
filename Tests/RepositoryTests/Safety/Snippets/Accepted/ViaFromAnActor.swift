import RunnelStreams

actor Indexer {
  private let pages = PushStream<String>()
  private var index: [Int] = []

  func start(_ pool: any ExecutionContext) {
    pages.via(pool) { $0.map { $0.count } }.observeNext { self.index.append($0) }
  }
}
