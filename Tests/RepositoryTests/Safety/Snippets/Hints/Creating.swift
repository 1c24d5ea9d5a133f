import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private func create(_ names: PushStream<String>, _ count: Driver<Int>) {
  // expect: 'create' is unavailable: write EventStream { observer in … }
  EventStream<Int, Never>.create { observer in
    observer.next(1)
    return .none
  }.observeNext { print($0) }
  // expect: 'of' is unavailable: write sequence([…])
  EventStream<Int, Never>.of(1, 2, 3).observeNext { print($0) }
  // expect: 'from' has been renamed to 'sequence(_:)'
  EventStream<Int, Never>.from([1, 2, 3]).observeNext { print($0) }
  // expect: 'empty()' is unavailable: write completed
  EventStream<Int, Never>.empty().observeNext { print($0) }
  // expect: 'error' has been renamed to 'failed(_:)'
  EventStream<Int, LoadError>.error(.offline).observe { print($0) }
  // expect: 'asObservable()' is unavailable: leave it out, or write stream
  names.asObservable().observeNext { print($0) }
  // expect: 'asObservable()' is unavailable: leave it out, or write stream
  count.asObservable().observeNext { print($0) }
  // expect: 'eraseToAnyPublisher()' is unavailable: leave it out, or write stream
  names.eraseToAnyPublisher().observeNext { print($0) }
  // expect: 'toSignal()' is unavailable: leave it out, or write stream
  names.toSignal().observeNext { print($0) }
}
