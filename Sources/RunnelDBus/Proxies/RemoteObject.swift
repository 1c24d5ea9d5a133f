import RunnelLoop
import RunnelStreams

/// An interface of an object of another program: its methods, properties and signals.
///
///     let player = RemoteObject(
///       "org.example.Player", at: "/org/example/Player", from: "org.example.Player", on: bus)
///     player.call("Search", with: "Emma", as: [String].self)
///       .observe(succeeded: { show($0) }, failed: { show($0) })
///
/// The class that ``BusInterface(_:)`` generates has such an object, and names its members.
///
/// *Disposal*: the object retains the connection.
public final class RemoteObject {
  /// The name of the interface.
  public let interface: String
  /// The path of the object.
  public let path: ObjectPath
  /// The name of the service. It is nil for the peer of a connection without a bus.
  public let service: String?
  /// The connection.
  public let bus: BusConnection
  /// The time limit of calls that are observed later.
  public var timeout = BusConnection.callTimeout
  /// False if a call must not start an absent service.
  public var startsService = true
  /// The properties, which are followed from the first use of one until this object is released.
  public private(set) lazy var properties = RemoteProperties(
    of: interface, at: path, from: service, on: bus)

  /// Creates a description of the object. Nothing is sent.
  public init(
    _ interface: String, at path: ObjectPath, from service: String?, on bus: BusConnection
  ) {
    self.interface = interface
    self.path = path
    self.service = service
    self.bus = bus
  }

  /// Calls a method each time that the result is observed. Several results are a tuple.
  ///
  /// *Events*: as for ``BusConnection/call(_:timeout:startsService:writing:)``. Results of other types
  /// fail with ``BusError/wrongSignature(expected:found:)``.
  @inlinable
  public func call<each Argument: BusValue, each Output: BusValue>(
    _ name: String, with arguments: repeat each Argument, as outputs: repeat (each Output).Type
  ) -> Single<(repeat each Output), BusError> {
    let method = BusMethod(name, of: interface, at: path, from: service)
    return Single { [bus, timeout, startsService] finish in
      bus.start(
        method, timeout, startsService: startsService,
        writing: { writer throws(BusError) in repeat try (each arguments).write(to: writer) }
      ) { result in
        do throws(BusError) {
          finish(.success(try result.get().tuple(of: repeat (each Output).self)))
        } catch {
          finish(.failure(error))
        }
      }
    }
  }

  /// The signals with a name. Several values are a tuple.
  ///
  /// *Events*: as for ``BusConnection/signals(_:)``. Signals with values of other types are left out.
  @inlinable
  public func signals<each Value: BusValue>(
    _ name: String, as types: repeat (each Value).Type
  ) -> EventStream<(repeat each Value), BusError> {
    let filter = SignalFilter(name, of: interface, at: path, from: service)
    let known = BusBody.types(repeat (each Value).self)
    return EventStream { [bus] observer in
      bus.signals(filter).observe(
        next: { signal in
          do throws(BusError) {
            let values: (repeat each Value) = try signal.body.tuple(
              known, of: repeat (each Value).self)
            observer.next(values)
          } catch {
            Log("runnel.dbus").warning("A signal \(filter.interface).\(name) is left out: \(error)")
          }
        },
        failed: { observer.failed($0) })
    }
  }

  /// A property. It is nil while it is not known, and if it has another type.
  public func property<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> ReadOnlyProperty<Value?> {
    properties.property(name)
  }

  /// Reads a property each time that the result is observed, for one whose changes are not announced.
  ///
  /// *Events*: as for ``BusConnection/call(_:timeout:startsService:writing:)``. A value of another type fails
  /// with ``BusError/wrongSignature(expected:found:)``.
  public func read<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> Single<Value, BusError> {
    let method = BusMethod.ofProperties("Get", at: path, from: service)
    return bus.call(
      method, timeout: timeout, startsService: startsService, with: interface, name
    )
    .map { body throws(BusError) in try body.value(as: Variant.self).value(as: type) }
  }

  /// A property that can be written.
  public func writableProperty<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> RemoteProperty<Value> {
    RemoteProperty(name, of: self)
  }
}

extension Single where Failure == BusError {
  /// Starts the operation and waits for its element.
  ///
  /// *Events*: throws ``BusError/cancelled`` if the task is cancelled first.
  ///
  /// *Disposal*: cancelling the task disposes the operation.
  public nonisolated(nonsending) func reply() async throws(BusError) -> Element {
    guard let element = try await value() else { throw .cancelled }
    return element
  }
}
