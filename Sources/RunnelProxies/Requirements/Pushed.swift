import RunnelStreams

extension EventStream where Failure == Never {
  /// Returns the elements that `connect` pushes while the stream is observed, until the owner of a
  /// proxy is released.
  @inlinable
  static func pushed(
    until ended: EventStream<Void, Never>,
    _ connect: @escaping (PushStream<Element>) -> Disposable
  ) -> EventStream<Element, Never> {
    .unguarded { observer in
      let push = PushStream<Element>()
      let upstream = Disposable()
      push.start(
        Observer(
          forwardingTo: observer,
          end: { termination in
            observer.end(termination)
            upstream.dispose()
          }))
      // Added last, so disposed first: the closure must not run any more when the captures of the
      // observer are released, because a `deinit` may call the proxy.
      observer.observation.add(upstream)
      ended.start(under: upstream, next: { push.end(.completed) }, end: { _ in })
      if push.termination == nil { upstream.add(connect(push)) }
    }
  }
}

extension ProtocolProxy {
  @usableFromInline
  var ownersEnd: EventStream<Void, Never> { ties.ended }
}
