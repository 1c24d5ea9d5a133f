import RunnelStreams

/// A call of a portal that asks the user, whose answer is a signal of an object for the request.
final class PortalRequest {
  /// The answer of the user.
  enum Answer {
    case done([String: Variant])
    case cancelled
  }

  private static let interface = DesktopPortal.prefix + "Request"

  private let bus: BusConnection
  private var finish: ((Result<Answer, BusError>) -> Void)?
  /// The object for the request, when the portal has told it.
  private var path: ObjectPath?
  /// The answers that arrived before that.
  private var early: [ObjectPath: BusBody] = [:]
  private let observations = Disposable()

  private init(
    _ bus: BusConnection, _ finish: @escaping (Result<Answer, BusError>) -> Void
  ) {
    self.bus = bus
    self.finish = finish
  }

  /// Calls a method of a portal each time that the result is observed. The bus starts the portal if it can.
  ///
  /// *Events*: there is no time limit for the user. Fails with ``BusError/noReply(_:)`` if the portal ends.
  ///
  /// *Disposal*: withdraws the question.
  static func answer(
    to name: String, of portal: String, on bus: BusConnection,
    writing: @escaping (BusWriter) throws(BusError) -> Void
  ) -> Single<Answer, BusError> {
    Single { finish in
      let request = PortalRequest(bus, finish)
      let method = BusMethod(
        name, of: DesktopPortal.prefix + portal, at: DesktopPortal.path,
        from: DesktopPortal.service)
      request.start(bus.call(method, writing: writing))
      return Disposable { request.withdraw() }
    }
  }

  private func start(_ call: Single<BusBody, BusError>) {
    let filter = SignalFilter("Response", of: Self.interface, from: DesktopPortal.service)
    observations.add(
      bus.signals(filter).observe(
        next: { self.receive($0) }, failed: { self.end(.failure($0)) }))
    observations.add(
      bus.owner(of: DesktopPortal.service).observeNext { owner in
        if owner == nil, self.path != nil { self.end(.failure(.noReply("The portal has ended."))) }
      })
    // The reply is needed to withdraw the question, so the call is not disposed.
    call.observe(
      succeeded: { body in
        do throws(BusError) {
          self.began(at: try body.value(as: ObjectPath.self))
        } catch {
          self.end(.failure(error))
        }
      },
      failed: { self.end(.failure($0)) })
  }

  private func began(at path: ObjectPath) {
    guard finish != nil else { return close(path) }
    self.path = path
    if let body = early[path] { answer(body) }
    early = [:]
  }

  private func receive(_ signal: BusSignal) {
    if let path {
      if signal.path == path { answer(signal.body) }
    } else {
      early[signal.path] = signal.body
    }
  }

  private func answer(_ body: BusBody) {
    path = nil
    do throws(BusError) {
      let (code, values) = try body.values(as: UInt32.self, [String: Variant].self)
      switch code {
      case 0: end(.success(.done(values)))
      case 1: end(.success(.cancelled))
      default: end(.failure(.failed("The portal has ended the question.")))
      }
    } catch {
      end(.failure(error))
    }
  }

  private func end(_ result: Result<Answer, BusError>) {
    observations.dispose()
    exchange(&finish, with: nil)?(result)
  }

  private func withdraw() {
    observations.dispose()
    guard exchange(&finish, with: nil) != nil, let path else { return }
    close(path)
  }

  private func close(_ path: ObjectPath) {
    let method = BusMethod("Close", of: Self.interface, at: path, from: DesktopPortal.service)
    bus.call(method, startsService: false).observe(failed: { _ in })
  }
}

extension BusError {
  /// True if there is no portal of the kind, so that another way may succeed.
  var saysNoPortal: Bool {
    switch self {
    case .serviceUnknown, .serviceAbsent, .nameHasNoOwner, .unknownObject, .unknownInterface,
      .unknownMethod, .disconnected, .cannotConnect:
      true
    default: false
    }
  }
}
