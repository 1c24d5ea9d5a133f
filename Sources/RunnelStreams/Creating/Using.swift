extension EventStream {
  /// A stream that needs a resource, which is made for each observation and disposed after it.
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
  /// *Events*: an error thrown by the first or the last closure fails the stream.
  ///
  /// *Disposal*: at its end, or when it is disposed, the stream is torn down, then the resource is
  /// disposed; also where the observation was disposed while the resource was being made.
  public static func using<Resource>(
    _ acquire: @escaping () throws(Failure) -> Resource,
    dispose: @escaping (Resource) -> Void,
    stream: @escaping (Resource) throws(Failure) -> EventStream
  ) -> EventStream {
    .unguarded { observer in
      do throws(Failure) {
        let resource = try acquire()
        // What is added last is torn down first: the stream before the resource.
        observer.observation.add { dispose(resource) }
        guard observer.isActive else { return }
        try stream(resource).start(observer)
      } catch {
        observer.failed(error)
      }
    }
  }
}
