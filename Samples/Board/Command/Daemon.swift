import Glibc
import Runnel

/// The parts of the service, from its start to its end.
@MainActor
struct Daemon {
  let invocation: Invocation

  /// Opens the file, and listens. The steps of the shutdown run in reverse order.
  func start(_ service: Lifecycle) throws {
    let output = try Writer(STDOUT_FILENO, on: .main)
    let settings = Settings(try configuration())
    let file = try PostFile(invocation["data"] ?? "board.posts")
    let name = try invocation["join"].map { _ in try BoardName(beside: file).text }
    let board = try Board(
      file, named: name ?? Cursor.alone, on: .main, progress: progress(of: service))
    EventLoop.main.reportSlowTurns(after: .seconds(1))
    let log = Log("board", ["file": file.path])
    if board.damagedCount > 0 {
      log.error(
        "The file has damaged lines. Restore them from a copy.", ["lines": board.damagedCount])
    }
    if board.missingCount > 0 {
      log.error(
        """
        Posts are missing at the end of the file: it was removed, replaced, cut or damaged. Their numbers are \
        not used again. Restore them from a copy.
        """, ["atMost": board.missingCount])
    }
    if board.headerWasMended {
      log.warning("The first line of the file was damaged, and was mended. Check the disk.")
    }
    if let moved = board.movedEnd {
      log.error(
        """
        The end of the file was damaged, and was moved to another file. A crash of the machine damages only \
        posts that were not acknowledged. If there was none, check the disk, and compare the file with a copy.
        """, ["bytes": moved.count, "moved": moved.path])
    }
    // A bad disk may damage many posts, one after the other.
    var damaged: Set<Int> = []
    board.damage.do(next: { damaged.formUnion($0) }).throttle(for: .seconds(1)).observeNext { _ in
      log.error(
        "Posts were damaged while they were used, and are lost. The others are not. Check the disk.",
        ["count": damaged.count, "posts": damaged.sorted().prefix(100)])
      damaged = []
    }
    board.faults.observeNext { log.error("Posts could not be stored.", ["error": $0]) }
    let (metrics, health) = (Metrics(), Health())
    metrics.addProcess()
    metrics.add(.main)
    metrics.add(board)
    let server = HTTPServer(on: .main)
    settings.apply(settings.configuration, to: board, server)
    server.count(in: HTTPMetrics(metrics))
    Routes(board, settings, health).add(to: server, metrics)
    service.onShutdown("file") { _ = await board.isIdle.stream.filter { $0 }.first() }

    if let broker = invocation["join"] {
      let others = try OtherBoards(board, broker)
      metrics.add(others)
      service.onShutdown("others", within: .seconds(3)) { await others.leave().completion() }
    }

    let passed = try Activation.descriptors()
    var web = passed.filter { !$0.isUnixSocket }.map { Endpoint.descriptor($0.number) }
    var local = passed.filter { $0.isUnixSocket }.map { Endpoint.descriptor($0.number) }
    if web.isEmpty { web = [.tcp(invocation["host"] ?? "127.0.0.1", port: invocation.port)] }
    if let path = invocation["unix"] { local.append(.unix(path)) }

    for endpoint in local {
      let listener = try listen(at: endpoint, board)
      service.onShutdown("lines", listener.close(within: .seconds(1)))
      _ = output.write("Lines at \(listener.address)\n")
    }
    for endpoint in web {
      let listener = try server.listen(endpoint)
      _ = output.write("Board at http://\(listener.address)/\n")
    }
    service.onShutdown("requests", within: .seconds(6), server.close(within: .seconds(5)))
    service.onShutdown("health") { health.isDraining = true }
    service.onReload {
      if board.checkFile() { log.notice("The file is back, and posts are accepted again.") }
      settings.apply(try configuration(), to: board, server)
    }
  }

  /// Returns a closure that tells the service manager how far a large file is read.
  private func progress(of service: Lifecycle) -> (Int) -> Void {
    let step = 64 << 20
    var next = step
    return { count in
      guard count >= next else { return }
      next += step
      service.extendTime(by: .seconds(30))
      service.report("Reading the posts: \(count >> 20) MiB")
    }
  }

  private func configuration() throws -> Configuration {
    var configuration =
      try invocation["config"].map { try Configuration(at: $0) } ?? Configuration()
    configuration.hosts += invocation["host"].map { [$0.lowercased()] } ?? []
    return configuration
  }

  /// Serves lines at a Unix socket. The rights of its file say who may write.
  private func listen(at endpoint: Endpoint, _ board: Board) throws -> Listener {
    var options = ListenerOptions()
    options.permissions = 0o660
    let listener = try Listener(endpoint, options: options, on: .main)
    listener.connections.observeNext { client in
      // A client that has finished still waits for its last answers.
      client.staysOpenAfterEnd = true
      client.timeLimits = TimeLimits(writing: .seconds(30))
      let session = LineSession(board) { _ in true }
      let lines = client.lines(longest: LineSession.longestLine).ignoreFailure { _, _ in }
      session.answers(to: lines).map { "\($0)\n" }.do(completed: client.finish)
        .bind(to: client.writer)
    }
    return listener
  }
}

extension Activation.Descriptor {
  fileprivate var isUnixSocket: Bool {
    var family: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(number, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX
  }
}
