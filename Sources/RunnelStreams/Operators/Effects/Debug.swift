extension StreamProtocol {
  /// Prints every event and the disposal at this point of a chain.
  ///
  ///     seconds.debug("my probe").observeNext { show($0) }
  ///
  /// disposed after two seconds, prints
  ///
  ///     [my probe] subscribed
  ///     [my probe] -> Event next(0)
  ///     [my probe] -> Event next(1)
  ///     [my probe] dispose
  ///
  /// Without a name, the output contains the source location. The `print` closure receives each
  /// line; by default it writes to standard output.
  public func debug(
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    print: @escaping (String) -> Void = { Swift.print($0) }
  ) -> EventStream<Element, Failure> {
    let name = name ?? "\(file):\(line)"
    func event(_ event: StreamEvent<Element, Failure>) {
      print("[\(name)] -> Event \(event)")
    }
    return `do`(
      observed: { print("[\(name)] subscribed") },
      next: { event(.next($0)) },
      failed: { event(.failed($0)) },
      completed: { event(.completed) },
      disposed: { print("[\(name)] dispose") })
  }
}
