import RunnelStreams

extension StreamProtocol {
  func sink(receiveValue: @escaping (Element) -> Void) -> Disposable { observeNext(receiveValue) }

  func via(_ context: any ExecutionContext) -> EventStream<Element, Failure> { stream }
}

extension EventStream {
  func removeDuplicates() -> EventStream { self }
}

@MainActor func show(_ numbers: EventStream<Int, Never>, _ loop: any ExecutionContext) {
  _ = numbers.removeDuplicates().via(loop).sink { print($0) }
}
