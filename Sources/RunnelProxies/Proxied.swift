/// Makes a proxy of a delegate or callback protocol, which turns its requirements into streams.
///
///     @Proxied
///     @MainActor
///     protocol MixerDelegate: AnyObject {
///       func mixer(_ mixer: Mixer, didMute channel: Int)
///       @Default(true) func mixer(_ mixer: Mixer, shouldMute channel: Int) -> Bool
///     }
///     @MainActor final class Mixer: ProxyHost {
///       let proxies = ProxyStore()
///       weak var delegate: (any MixerDelegate)?
///       var rDelegate: MixerDelegateProxy { proxy(for: \.delegate) }
///     }
///
/// The proxy is a final class that conforms to the protocol, named after it: see ``ProtocolProxy`` for
/// what it does. Beside it stands a protocol that ends in `Forwarding`, through which the proxies of
/// protocols that refine this one take over its requirements: `@Proxied(refining: ScrollDelegate.self)`.
///
/// **Keys.** Each requirement has a key in the proxy's `Requirements`: its name and the labels of its
/// parameters, joined by underscores: `songList_didSelect`. A property's key is its name, for being
/// read, and with `_set` for being set. Where two requirements differ only in their types, those
/// stand behind the labels: `show_Int`, `show_String`.
///
/// **What has a key.** Methods and properties. Subscripts, operators, generic methods and those that
/// rethrow or take or return something `sending` are handed to `forwardTo`, and make no streams. An
/// `inout` parameter reaches closures as an ``InoutArgument``, a variadic one as an array, and a
/// closure that does not escape may be called until the closure that got it returns.
///
/// **Associated types** are parameters of the proxy, so they must be primary. A protocol that refines
/// such a one says which they are: `refining: (any Picker<Int>).self`; or inherits them, and then
/// lists them and what it demands of them: `@Proxied(refining: (any Picker).self) protocol
/// PricePicker<Item>: Picker where Item: Hashable`.
///
/// **Operators** stand in the proxy itself, so those of protocols that refine it lack them: write them
/// in an `extension Picker where Self: PickerForwarding`, where `pickerTarget` is whom to hand them to.
///
/// **Nested protocols.** What the proxy does is written in an extension outside, so types that stand
/// beside the protocol need their owner there: `func told(_ row: Table.Row)`, `refining:
/// Table.Delegate.self`.
///
/// **What cannot be.** A proxy stands for one object, so static requirements, initialisers and those
/// that return or take another `Self` are refused, with a word at the requirement.
///
/// **Isolation.** The proxy lives where the protocol does. Where that is no global actor and the
/// protocol is `Sendable`, the proxy belongs to the context that it was made on, and traps where it
/// is called elsewhere (C11).
@attached(peer, names: suffixed(Proxy), suffixed(Forwarding))
@attached(extension, names: arbitrary)
public macro Proxied(refining protocols: Any.Type...) =
  #externalMacro(module: "RunnelMacros", type: "ProxiedMacro")

/// Makes a requirement of a ``Proxied(refining:)`` protocol, without a result, optional for those who conform.
///
///     @Proxied
///     protocol ScrollingDelegate: AnyObject {
///       @Default func didScroll(to row: Int)
///     }
@attached(peer)
public macro Default() = #externalMacro(module: "RunnelMacros", type: "DefaultMacro")

/// Makes a requirement of a ``Proxied(refining:)`` protocol optional for those who conform, and answers
/// it where nobody else does.
///
///     @Proxied
///     protocol PagingDelegate: AnyObject {
///       @Default(1) func pages(in book: String) -> Int
///     }
///
/// The value is an expression that has its type by itself: `@Default(Theme.dark)`, `@Default(String?.none)`.
@attached(peer)
public macro Default<Value>(_ value: Value) =
  #externalMacro(module: "RunnelMacros", type: "DefaultMacro")

/// Adds two classes that conform to a proxy's protocol, which keeps the optimizer from taking another
/// conformer for the only one. ``Proxied(refining:)`` writes it at the proxy; do not write it yourself.
@attached(extension, names: named(FirstDecoy), named(SecondDecoy))
public macro DecoyConformers() =
  #externalMacro(module: "RunnelMacros", type: "DecoyConformersMacro")
