/// Generates a class for the interface that a protocol describes.
///
///     @BusInterface("org.example.Radio")
///     protocol Radio {
///       func play(_ station: String) throws(BusError)
///       func search(for text: String) -> Single<[String], BusError>
///       var volume: Property<Double> { get }
///       var station: ReadOnlyProperty<String> { get }
///       var version: String { get }
///       var retuned: EventStream<UInt32, Never> { get }
///     }
///     let radio = RadioProxy(at: "/org/example/Radio", from: "org.example.Radio", on: bus)
///     radio.play("BBC").observe(failed: { show($0) })
///     radio.volume.observeNext { volume in show(volume ?? 0) }
///
/// The class has the name of the protocol with the suffix `Proxy`, and conforms to ``BusProxy``. An object of
/// this program that conforms to the protocol is served with
/// `BusConnection.export(_:as:at:allowing:)`.
///
/// | requirement | on the bus | member of the proxy |
/// |---|---|---|
/// | `func play(_ title: String) throws(BusError)` | a method | `Completable`, and `async` |
/// | `func search(…) -> [String]` | a method with a result | `Single`, and `async` |
/// | `func search(…) -> Single<[String], BusError>` | the same, answered later | the same |
/// | `func search(…) async throws(BusError) -> [String]` | the same, in a protocol with an actor | the same |
/// | `func info() -> (name: String, size: UInt64)` | a method with several results | `Single` of a tuple, and `async` |
/// | `var volume: Property<Double> { get }` | a property that can be written | ``RemoteProperty`` |
/// | `var title: ReadOnlyProperty<String> { get }` | a property | `ReadOnlyProperty<String?>` |
/// | `@BusMember(changes: .silent) var size: ReadOnlyProperty<UInt64> { get }` | a property that is not announced | `Single`, which reads it |
/// | `var version: String { get }` | a property that does not change | `ReadOnlyProperty<String?>` |
/// | `var moved: EventStream<Int64, Never> { get }` | a signal | `EventStream<Int64, BusError>` |
///
/// Names on the bus are those in Swift with a capital letter, and ``BusMember(_:changes:)`` sets another
/// one. What D-Bus cannot carry is an error at its place.
#if RUNNEL_WITHOUT_MACROS
@available(
  *, unavailable, message: "this toolchain has no swift-syntax, which @BusInterface needs"
)
#endif
@attached(peer, names: suffixed(Proxy))
public macro BusInterface(_ name: String) =
  #externalMacro(module: "RunnelMacros", type: "BusInterfaceMacro")

/// Sets the name of a requirement on the bus, or how changes of a property are announced.
///
///     @BusInterface("org.example.Library")
///     protocol Library {
///       @BusMember("GetURL") func address(of book: String) throws(BusError) -> String
///       @BusMember(changes: .withoutValue) var books: ReadOnlyProperty<[String]> { get }
///     }
///
/// The name is a string literal.
@attached(peer)
public macro BusMember(_ name: String? = nil, changes: BusInterface.Changes = .withValue) =
  #externalMacro(module: "RunnelMacros", type: "BusMemberMacro")
