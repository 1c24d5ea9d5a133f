extension EventStream {
  /// Returns a stream that acquires a resource for each observation, and disposes it afterwards.
  ///
  ///     stream     --a--b--|
  ///     using(…)   --a--b--|
  ///     dispose    --------x
  ///
  ///     EventStream<String, LoadError>.using { () throws(LoadError) in
  ///       try File(path)
  ///     } dispose: { file in
  ///       file.close()
  ///     } stream: { file in
  ///       file.lines
  ///     }.observe { print($0) }
  ///
  /// *Events*: an error thrown by `acquire` or `stream` fails the stream.
  ///
  /// *Disposal*: when the stream ends or is disposed, the stream is disposed first, then the
  /// resource. If the observation is disposed while the resource is being acquired, the resource is
  /// disposed too.
  public static func using<Resource>(
    _ acquire: @escaping () throws(Failure) -> Resource,
    dispose: @escaping (Resource) -> Void,
    stream: @escaping (Resource) throws(Failure) -> EventStream
  ) -> EventStream {
    .unguarded { observer in
      do throws(Failure) {
        let resource = try acquire()
        // Members are disposed in reverse order: the stream before the resource.
        observer.observation.add { dispose(resource) }
        guard observer.isActive else { return }
        try stream(resource).start(observer)
      } catch {
        observer.failed(error)
      }
    }
  }
}
