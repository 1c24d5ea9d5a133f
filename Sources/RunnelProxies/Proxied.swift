/// Generates a proxy class for a delegate or callback protocol, which turns its requirements into
/// streams.
///
///     @Proxied
///     @MainActor
///     protocol MixerDelegate: AnyObject {
///       func mixer(_ mixer: Mixer, didMute channel: Int)
///       @Default(true) func mixer(_ mixer: Mixer, shouldMute channel: Int) -> Bool
///     }
///     @MainActor final class Mixer: ProxyHost {
///       let proxies = ProxyStore()
///       weak var delegate: (any MixerDelegate)? { didSet { keepProxy(for: \.delegate) } }
///       var rDelegate: MixerDelegateProxy { proxy(for: \.delegate) }
///     }
///
/// The proxy is a final class that conforms to the protocol; see ``ProtocolProxy``. The macro also
/// generates a protocol with the suffix `Forwarding`. Through it, the proxies of refining protocols
/// take over the requirements of this one: `@Proxied(refining: ScrollDelegate.self)`.
///
/// **Keys.** Each requirement has a key in the proxy's `Requirements`. It consists of the name and
/// the parameter labels, joined by underscores: `songList_didSelect`. The key of a property is its
/// name for reading, and its name with `_set` for setting. If two requirements differ only in their
/// types, the types follow the labels: `show_Int`, `show_String`.
///
/// **Requirements without a key.** Subscripts, operators, generic and rethrowing methods, and
/// methods with a `sending` parameter or result only call `forwardTo`. All other methods and
/// properties make streams. Closures receive an `inout` parameter as an ``InoutArgument`` and a
/// variadic parameter as an array. They may call a non-escaping closure only until they return.
///
/// **Associated types** become generic parameters of the proxy, so they must be primary. A protocol
/// that refines such a protocol specifies them: `refining: (any Picker<Int>).self`. If it inherits
/// them instead, it lists them with their constraints: `@Proxied(refining: (any Picker).self)
/// protocol PricePicker<Item>: Picker where Item: Hashable`.
///
/// **Operators** are members of the proxy class, so the proxies of refining protocols do not have
/// them. Write them in an `extension Picker where Self: PickerForwarding`; the property
/// `pickerTarget` there is the target.
///
/// **Nested protocols.** The macro writes an extension at file scope. Types next to a nested
/// protocol therefore need their owner in its requirements: `func told(_ row: Table.Row)`,
/// `refining: Table.Delegate.self`.
///
/// **Delegates of other modules.** The protocol may inherit from a delegate protocol of another
/// module, and repeats the requirements that become streams. If that protocol is `Sendable`, or
/// inherits from Foundation's `NSObjectProtocol`, this one must inherit from these visibly. The
/// proxy of an `NSObjectProtocol` is an `NSObject`.
///
/// **Unsupported requirements.** A proxy represents one object. Static requirements, initialisers
/// and requirements that take or return `Self` are rejected with a diagnostic.
///
/// **Isolation.** The proxy has the isolation of the protocol. Without a global actor, the proxy of
/// a `Sendable` protocol belongs to the context that created it, and traps when it is called
/// elsewhere (C11).
#if RUNNEL_WITHOUT_MACROS
@available(*, unavailable, message: "this toolchain has no swift-syntax, which @Proxied needs")
#endif
@attached(peer, names: suffixed(Proxy), suffixed(Forwarding))
@attached(extension, names: arbitrary)
public macro Proxied(refining protocols: Any.Type...) =
  #externalMacro(module: "RunnelMacros", type: "ProxiedMacro")

/// Makes a requirement without a result optional for conforming types of a ``Proxied(refining:)``
/// protocol.
///
///     @Proxied
///     protocol ScrollingDelegate: AnyObject {
///       @Default func didScroll(to row: Int)
///     }
@attached(peer)
public macro Default() = #externalMacro(module: "RunnelMacros", type: "DefaultMacro")

/// Makes a requirement of a ``Proxied(refining:)`` protocol optional for conforming types. The
/// value is the answer if there is no other.
///
///     @Proxied
///     protocol PagingDelegate: AnyObject {
///       @Default(1) func pages(in book: String) -> Int
///     }
///
/// The type of the value must not depend on its context: `@Default(Theme.dark)`,
/// `@Default(String?.none)`.
@attached(peer)
public macro Default<Value>(_ value: Value) =
  #externalMacro(module: "RunnelMacros", type: "DefaultMacro")

/// Adds two classes that conform to the protocol of a proxy. They prevent the optimizer from
/// assuming that another type is the only one that conforms. ``Proxied(refining:)`` adds it to the
/// proxy; do not use it yourself.
@attached(extension, names: named(FirstDecoy), named(SecondDecoy))
public macro DecoyConformers() =
  #externalMacro(module: "RunnelMacros", type: "DecoyConformersMacro")
