import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private func send(_ pages: Subject<Int, LoadError>, _ page: Property<Int>) {
  // expect: 'onNext' has been renamed to 'next(_:)'
  pages.onNext(1)
  // expect: 'onError' has been renamed to 'failed(_:)'
  pages.onError(.offline)
  // expect: 'onCompleted()' has been renamed to 'completed()'
  pages.onCompleted()
  // expect: 'on' has been renamed to 'send(_:)'
  pages.on(.next(1))
  // expect: 'accept' has been renamed to 'next(_:)'
  pages.accept(1)
  // expect: 'send' has been renamed to 'next(_:)'
  pages.send(1)
  // expect: 'receive' has been renamed to 'next(_:)'
  pages.receive(1)
  // expect: 'send(completion:)' has been renamed to 'end(_:)'
  pages.send(completion: .finished)
  // expect: 'send(completion:)' has been renamed to 'end(_:)'
  pages.send(completion: .failure(.offline))
  // expect: 'onNext' is unavailable: write property.value = newValue
  page.onNext(1)
  // expect: 'accept' is unavailable: write property.value = newValue
  page.accept(1)
  // expect: 'send' is unavailable: write property.value = newValue
  page.send(1)
  EventStream<Int, Never> { observer in
    // expect: 'onNext' has been renamed to 'next(_:)'
    observer.onNext(1)
    return .none
  }.observeNext { print($0) }
}
