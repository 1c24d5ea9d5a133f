import RunnelStreams

/// A copy of the state of a service that a ``ServiceFollower`` keeps up to date.
protocol ServiceCopy: AnyObject, SendableMetatype {
  /// A part that is announced and read alone, such as an object or a property.
  associatedtype Part: Hashable

  /// Asks for all parts.
  func askForAll() -> Single<BusBody, BusError>
  /// Receives all parts. An error forgets everything. Calls ``ServiceFollower/finishLoading()``.
  func receiveAll(_ body: BusBody) throws(BusError)
  /// Asks for one part.
  func ask(for part: Part) -> Single<BusBody, BusError>
  /// Receives one part. It is outdated if a change was announced since the question. An error forgets
  /// everything.
  func receive(
    _ reply: Result<BusBody, BusError>, for part: Part, isOutdated: Bool
  ) throws(BusError)
  /// Forgets all parts, because the service is absent or cannot be followed.
  func forget()
}

/// Reads all parts of a service when it appears, and one part when it was announced without its value.
///
/// Announcements that arrive before the first reply are kept until then, because each can be the newer one.
final class ServiceFollower<Copy: ServiceCopy> {
  typealias State = RemoteProperties.State
  typealias Part = Copy.Part

  /// A call for one part that has no reply yet.
  private final class Reading {
    /// True if a change was announced since the call was sent. Then the part is read once more.
    var isOutdated = false
    var call = Disposable.none
  }

  let state = Property(State.absent)
  let bus: BusConnection
  private let service: String?
  /// The number of announcements that are kept.
  private let earlyLimit: Int
  private weak var copy: Copy?
  private var readings: [Part: Reading] = [:]
  /// The parts that are read when others have been read.
  private var waiting: Set<Part> = []
  /// The parts that were announced while all were being read, and whether they are known to exist.
  private var early: [Part: Bool] = [:]
  /// The reason why the signals of the service cannot be followed.
  private var refusal: BusError?
  /// The call for all parts.
  private(set) var loading = Disposable.none
  private var observations: [Disposable] = []

  init(_ service: String?, on bus: BusConnection, earlyLimit: Int) {
    self.service = service
    self.bus = bus
    self.earlyLimit = earlyLimit
  }

  /// Calls the action with each signal of the service.
  func handle(_ filter: SignalFilter, _ action: @escaping (Copy, BusSignal) -> Void) {
    keep(
      bus.signals(filter).observe(
        next: { [weak self] signal in
          if let copy = self?.copy { action(copy, signal) }
        },
        failed: { [weak self] error in
          self?.refusal = error
          self?.forget(as: error)
        }))
  }

  /// Begins to read, after all signals have handlers.
  func start(for copy: Copy) {
    self.copy = copy
    keep(
      bus.owner(of: service).observeNext { [weak self] owner in
        if owner != nil { self?.load() } else { self?.forget(as: nil) }
      })
  }

  /// Disposes the observation at the end.
  func keep(_ observation: Disposable) {
    observations.append(observation)
  }

  /// Ends everything on the loop, because the copy is released.
  func letGo() {
    bus.loop.close(self) { $0.end() }
  }

  private func end() {
    exchange(&loading, with: .none).dispose()
    endReadings()
    for observation in exchange(&observations, with: []) { observation.dispose() }
  }

  /// True when all parts are known and no call is unanswered.
  var isSettled: Bool { isCurrent && readings.isEmpty && waiting.isEmpty }

  var isCurrent: Bool { state.value == .current }

  // MARK: - Reading all parts

  /// Ends all calls and forgets everything, because of an error or because the service is absent.
  func forget(as error: BusError?) {
    loading.dispose()
    endReadings()
    let new = (error ?? refusal).map { State.failed($0) } ?? .absent
    state.value = new
    // An observer of the state can have begun to load.
    if state.value == new { copy?.forget() }
  }

  private func load() {
    loading.dispose()
    endReadings()
    early = [:]
    if let refusal { return forget(as: refusal) }
    state.value = .loading
    // An observer of the state can have ended all, or begun to load again.
    loading.dispose()
    guard state.value == .loading, let copy else { return }
    loading = copy.askForAll().observe(
      succeeded: { [weak self] body in self?.loaded(body) },
      failed: { [weak self] error in
        if error != .disconnected { self?.forget(as: error) }
      })
  }

  private func loaded(_ body: BusBody) {
    do throws(BusError) {
      try copy?.receiveAll(body)
    } catch {
      forget(as: error)
    }
  }

  /// Ends loading. Returns the parts that were announced meanwhile, and whether they are known to exist. The
  /// announcements can be newer than the reply, or older, so the parts must be read.
  func finishLoading() -> [Part: Bool] {
    state.value = .current
    return exchange(&early, with: [:])
  }

  /// Returns true if announcements can be applied now. Otherwise notes them.
  func accepts(_ parts: some Sequence<Part>, existing: Bool = false) -> Bool {
    switch state.value {
    case .absent: break
    case .failed: load()
    case .loading:
      for part in parts where early[part] != nil || early.count < earlyLimit {
        early[part] = existing || early[part] == true
      }
    case .current: return true
    }
    return false
  }

  // MARK: - Reading one part

  /// The number of parts that are read at the same time. A bus allows a connection 128 unanswered calls.
  private static var maximumReadingCount: Int { 32 }

  /// Notes that a reply which is on its way may be older than a change.
  func outdate(_ part: Part) {
    readings[part]?.isOutdated = true
  }

  /// Reads a part, once more if it is being read.
  func read(_ part: Part) {
    if let reading = readings[part] {
      reading.isOutdated = true
      return
    }
    guard readings.count < Self.maximumReadingCount, let copy else {
      waiting.insert(part)
      return
    }
    let reading = Reading()
    readings[part] = reading
    let call = copy.ask(for: part).observe(
      succeeded: { [weak self] body in self?.wasRead(part, reading, .success(body)) },
      failed: { [weak self] error in self?.wasRead(part, reading, .failure(error)) })
    if readings[part] === reading { reading.call = call }
  }

  /// Ends reading a part, because its value was announced.
  func endReading(of part: Part) {
    waiting.remove(part)
    readings.removeValue(forKey: part)?.call.dispose()
    readNext()
  }

  private func endReadings() {
    waiting = []
    for reading in exchange(&readings, with: [:]).values { reading.call.dispose() }
  }

  private func readNext() {
    while readings.count < Self.maximumReadingCount, isCurrent, let part = waiting.popFirst() {
      read(part)
    }
  }

  private func wasRead(_ part: Part, _ reading: Reading, _ result: Result<BusBody, BusError>) {
    guard readings[part] === reading else { return }
    readings[part] = nil
    if case .failure(.disconnected) = result { return }
    do throws(BusError) {
      try copy?.receive(result, for: part, isOutdated: reading.isOutdated)
    } catch {
      return forget(as: error)
    }
    // An observer can have ended all, or the part was announced again meanwhile.
    if reading.isOutdated, readings[part] == nil, isCurrent { read(part) }
    readNext()
  }
}
