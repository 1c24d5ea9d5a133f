import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private func observe(
  _ names: PushStream<String>, _ pages: EventStream<Int, LoadError>, _ user: Single<Int, LoadError>,
  _ found: Maybe<Int, LoadError>, _ saved: Completable<LoadError>, _ bag: DisposeBag
) {
  // expect: 'subscribe(onNext:onError:onCompleted:onDisposed:)' is unavailable: write observeNext {
  //   }, or observe(next:failed:completed:)
  names.subscribe(onNext: { print($0) })
  // expect: 'subscribe(onNext:onError:onCompleted:onDisposed:)' is unavailable: write observeNext {
  //   }, or observe(next:failed:completed:)
  pages.subscribe(onNext: { print($0) }, onError: { print($0) }, onCompleted: { print("end") })
  // expect: 'subscribe' has been renamed to 'observe(_:)'
  names.subscribe { print($0) }
  // expect: 'subscribe' has been renamed to 'observe(_:)'
  pages.subscribe { event in
    switch event {
    case .next(let page): print(page)
    case .error(let error): print(error)
    case .completed: print("end")
    }
  }
  // expect: 'sink(receiveValue:)' has been renamed to 'observeNext(_:)'
  names.sink { print($0) }
  // expect: 'sink(receiveValue:)' has been renamed to 'observeNext(_:)'
  names.sink(receiveValue: { print($0) })
  // expect: 'sink(receiveCompletion:receiveValue:)' is unavailable: write
  //   observe(next:failed:completed:)
  pages.sink { completion in
    switch completion {
    case .finished: print("end")
    case .failure(let error): print(error)
    }
  } receiveValue: {
    print($0)
  }
  // expect: 'observeFailed' has been renamed to 'observe(failed:)'
  pages.observeFailed { print($0) }
  // expect: 'observeCompleted' has been renamed to 'observe(completed:)'
  pages.observeCompleted { print("end") }
  // expect: 'observeNext' has been renamed to 'observe(succeeded:)'
  user.observeNext { print($0) }
  // expect: 'observeNext' is unavailable: write observe(succeeded:), with nil for completion
  found.observeNext { print($0) }
  // expect: 'subscribe(onSuccess:onFailure:)' has been renamed to 'observe(succeeded:failed:)'
  user.subscribe(onSuccess: { print($0) }, onFailure: { print($0) })
  // expect: 'subscribe(onSuccess:onError:onCompleted:)' is unavailable: write
  //   observe(succeeded:failed:), with nil for completion
  found.subscribe(onSuccess: { print($0) }, onError: { print($0) }, onCompleted: { print("none") })
  // expect: 'subscribe(onCompleted:onError:)' has been renamed to 'observe(completed:failed:)'
  saved.subscribe(onCompleted: { print("saved") }, onError: { print($0) })
  // expect: 'cancel()' has been renamed to 'dispose()'
  names.observeNext { print($0) }.cancel()
  // expect: 'store(in:)' has been renamed to 'disposed(by:)'
  names.observeNext { print($0) }.store(in: bag)
  var cancellables: [Disposable] = []
  // expect: 'store(in:)' is unavailable: write disposed(by: bag), with a DisposeBag
  names.observeNext { print($0) }.store(in: &cancellables)
  // expect: 'dispose(in:)' has been renamed to 'disposed(by:)'
  names.observeNext { print($0) }.dispose(in: bag)
  // expect: 'insert' has been renamed to 'add(_:)'
  bag.insert(names.observeNext { print($0) })
  // expect: 'dispose()' is unavailable: replace the bag: bag = DisposeBag()
  bag.dispose()
}
