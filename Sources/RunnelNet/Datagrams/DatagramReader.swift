import Glibc
import RunnelLoop
import RunnelStreams

/// The receiving direction of a ``DatagramSocket``.
///
/// It receives one batch in a turn, while its observer wants more. Datagrams that the observer did
/// not take wait for the next one; they are at most one batch.
final class DatagramReader {
  private let socket: BoundSocket
  private var sink: DatagramSink?
  private var waiting = Queue<Datagram>()
  private var watch: Watch?
  private var pauses = 0
  private var isDelivering = false
  private var isScheduled = false
  private let retry: RestartableTimer

  init(_ socket: BoundSocket) {
    self.socket = socket
    retry = RestartableTimer(on: socket.loop)
  }

  /// Begins to receive for an observer. Traps if there is another one.
  func begin(_ sink: DatagramSink) {
    // The completion of `take(1)` may begin to receive again before that observer is torn down.
    require(
      self.sink.map { !$0.observer.isActive } ?? true,
      """
      A DatagramSocket has one observer of its datagrams at a time. Dispose the other one first, or \
      share its stream.
      """)
    release(exchange(&self.sink, with: sink))
    receiveOn()
  }

  func end(_ sink: DatagramSink) {
    guard self.sink === sink else { return }
    stopWatching()
    release(self.sink.take())
  }

  /// Completes the stream, after the socket was closed. An observer that is handling a datagram gets
  /// the end after that.
  func finish() {
    waiting = Queue()
    if !isDelivering { complete() }
  }

  private func complete() {
    let sink = exchange(&self.sink, with: nil)
    sink?.observer.completed()
  }

  private var wantsMore: Bool {
    guard let sink, socket.isOpen else { return false }
    return sink.observer.isActive && pauses == 0
  }

  /// Receives on if the observer wants more now. Sends nothing at once.
  func receiveOn() {
    guard wantsMore, !isDelivering else { return }
    guard waiting.isEmpty else {
      if isScheduled { return }
      isScheduled = true
      return socket.loop.inputOutput.atEndOfTurn(self)
    }
    guard watch == nil else { return }
    do throws(SocketError) {
      watch = try socket.watch(for: .reading) { [weak self] in self?.receive() }
    } catch {
      let sink = exchange(&self.sink, with: nil)
      sink?.observer.failed(error)
    }
  }

  func stopWatching() {
    watch?.end()
    watch = nil
  }

  /// Receives one batch. The loop calls again in its next turn if more have arrived.
  private func receive() {
    // The watch goes on while an observer is slow: to end it for a moment costs a system call.
    guard wantsMore, waiting.isEmpty else { return stopWatching() }
    do throws(SystemError) {
      for datagram in try socket.receive(most: sink?.demand?.count ?? .max) {
        waiting.append(datagram)
      }
    } catch {
      if error.code == EAGAIN || error.code == EINTR { return }
      // The system tells here that a datagram which was sent earlier has reached nobody.
      let address = socket.peer ?? socket.address
      let operation: SocketError.Operation = error.code == ECONNREFUSED ? .write : .read
      // An error that stays would be reported in each turn.
      stopWatching()
      retry.set(after: .milliseconds(10)) { [weak self] in self?.receiveOn() }
      return socket.failures.next(SocketError(operation, "\(address)", error.cause))
    }
    deliver()
  }

  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    Delivery.from(self) {
      while wantsMore, let sink, let datagram = waiting.popFirst() {
        sink.demand?.use()
        sink.observer.next(datagram)
      }
    }
    isDelivering = false
    if socket.isOpen { receiveOn() } else { complete() }
  }
}

extension DatagramReader: EndOfTurnTask {
  func runAtEndOfTurn() {
    isScheduled = false
    deliver()
  }
}

extension DatagramReader: PausableSource {
  func pause() {
    pauses += 1
  }

  func resume() {
    pauses -= 1
    if pauses == 0 { receiveOn() }
  }
}

/// The observer of a socket's datagrams. It retains the socket.
final class DatagramSink: Teardown {
  let observer: Observer<Datagram, SocketError>
  let demand: Demand?
  private var socket: DatagramSocket?
  private weak var reader: DatagramReader?

  init(
    _ observer: Observer<Datagram, SocketError>, demand: Demand?, of socket: DatagramSocket,
    _ reader: DatagramReader
  ) {
    self.observer = observer
    self.demand = demand
    self.socket = socket
    self.reader = reader
    demand?.add(reader, of: self)
  }

  func tearDown() {
    reader?.end(self)
    demand?.remove(self)
    release(socket.take())
  }
}
