import RunnelStreams

/// Deadlines, and the end of the server.
extension ServerConnection {
  func becomeIdle(awaiting awaited: Awaited) {
    waitingTicks = 0
    phase = .idle(awaited)
  }

  /// Checks the deadlines, once a second.
  func sweep() {
    let limits = server.timeLimits
    let interval = OpenConnections.sweepInterval
    // A WebSocket has limits of its own.
    guard isActive else { return }
    if queue.waitingCount > 0 && queue.writtenCount == writtenBefore {
      stalledTicks += 1
      if interval * stalledTicks >= limits.writing { return reset() }
    } else {
      stalledTicks = 0
      writtenBefore = queue.writtenCount
    }
    switch phase {
    case .idle(let awaited):
      // The response before may still be on its way.
      if queue.waitingCount == 0 { waitingTicks += 1 }
      let waited = interval * waitingTicks
      switch awaited {
      case .firstRequest: if waited >= limits.head { return close() }
      case .nextRequest: if waited >= limits.idle { return close() }
      case .restOfHead:
        guard waited >= limits.head else { return }
        return refuse(.requestTimeout, "The request did not arrive in time.")
      }
      if let drainsAt, server.connections.tick >= drainsAt { close() }
    case .handling, .responding, .settling:
      if let body, !body.isComplete, inlet.waitsForBytes {
        if !body.isFastEnough(limits.bodyRate) {
          body.detach(.timedOut)
          return refuse(.requestTimeout, "The body did not arrive in time.")
        }
      }
      if let silent = current.silentTicks {
        current.silentTicks = silent + 1
        if interval * (silent + 1) >= server.heartbeat {
          current.silentTicks = 0
          let comment = Array(":\n\n".utf8)
          _ = writePiece(current.encoder?.encode(comment) ?? comment, isForced: true)
        }
      }
    case .upgraded, .closed: break
    }
  }

  /// The server ends.
  func drain() {
    drainsAt = server.connections.tick + 2
    current.closes = true
    if case .upgraded(let drain) = phase { drain?() }
    if isResponding && current.silentTicks != nil {
      // The stream of events would not end.
      current.silentTicks = nil
      exchange(&work, with: nil)?.dispose()
      if let encoder = current.encoder.take() { _ = writePiece(encoder.finish(), isForced: true) }
      if current.isChunked { _ = writeText("0\r\n\r\n") }
      finishResponse()
    }
  }
}
