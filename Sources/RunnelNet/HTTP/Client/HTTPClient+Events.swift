import RunnelStreams

extension HTTPClient {
  /// The events of a URL, as a browser's `EventSource` receives them.
  ///
  ///     client.events("http://example.org/topics/news").observe(
  ///       next: { show($0.data) }, failed: { show($0) })
  ///
  /// *Events*: when the response ends or the connection fails, the client connects again after the
  /// time that the server has given, from 100 ms to 60 s, or else 3 s. It sends the last identifier as
  /// `Last-Event-ID`. It connects again too after the statuses 502, 503 and 504, which a proxy sends
  /// while a server starts. Each attempt that brings no event doubles the time, up to a minute. The
  /// stream completes after the status 204. It fails with any other status, with another type of the
  /// response, and with an event that is too long.
  ///
  /// *Disposal*: closes the connection. The writer to which an observer writes can pause the stream.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - lastID: The identifier to begin after, for example one that was stored.
  ///   - silence: The time without a byte after which the client connects again. The default is
  ///   none. If the server sends comments, use a few times their interval.
  ///   - longest: The largest number of bytes of a line, and of the data of an event.
  public func events(
    _ url: String, after lastID: String = "", silence: Duration? = nil, longest: Int = 1 << 20
  ) -> EventStream<ReceivedEvent, HTTPClientError> {
    events(HTTPRequest(.get, url), after: lastID, silence: silence, longest: longest)
  }

  /// The events of the response to a request. See ``events(_:after:silence:longest:)``.
  public func events(
    _ request: HTTPRequest, after lastID: String = "", silence: Duration? = nil,
    longest: Int = 1 << 20
  ) -> EventStream<ReceivedEvent, HTTPClientError> {
    EventStream { [self] observer in
      let source = EventReceiver(
        request, EventParser(limit: longest, lastID: lastID), limit: longest, silence: silence,
        self, observer)
      source.connect()
      return Disposable { source.tearDown() }
    }
  }
}
