#if GTK
import CGTK

/// The arguments of a signal of GTK. The first one is the object that sends it.
@MainActor
struct SignalArguments {
  private let values: UnsafePointer<GValue>
  private let count: Int

  fileprivate init(_ values: UnsafePointer<GValue>, count: Int) {
    self.values = values
    self.count = count
  }

  func int(_ index: Int) -> Int { Int(g_value_get_int(values + checked(index))) }
  func uint(_ index: Int) -> Int { Int(g_value_get_uint(values + checked(index))) }
  func double(_ index: Int) -> Double { g_value_get_double(values + checked(index)) }
  func flags(_ index: Int) -> UInt32 { g_value_get_flags(values + checked(index)) }
  func string(_ index: Int) -> String { text(of: g_value_get_string(values + checked(index))) }
  /// Returns the bytes of a text, which are valid during the signal.
  func characters(_ index: Int) -> UnsafePointer<CChar>? {
    g_value_get_string(values + checked(index))
  }
  func boxed(_ index: Int) -> UnsafeMutableRawPointer? {
    g_value_get_boxed(values + checked(index))
  }
  func pointer(_ index: Int) -> UnsafeMutableRawPointer? {
    g_value_get_pointer(values + checked(index))
  }

  /// Returns an argument that is an event of GDK. Events have a fundamental type of their own.
  func event(_ index: Int) -> OpaquePointer? {
    g_value_peek_pointer(values + checked(index)).map { OpaquePointer($0) }
  }

  private func checked(_ index: Int) -> Int {
    precondition(index < count, "The signal has only \(count) arguments.")
    return index
  }
}

/// A function that handles a signal. Its result is used if the signal has a Boolean result.
typealias SignalHandler = @MainActor (SignalArguments) -> Bool

/// The handlers that one object of Runnel has connected to objects of GTK.
///
/// The handlers may capture anything: they are released by ``disconnectAll()``.
@MainActor
final class Signals {
  private var connections: [(object: UnsafeMutableRawPointer, handler: gulong)] = []

  /// Calls a closure when an object sends a signal, and returns its result to GTK.
  @discardableResult
  func answer<From>(
    _ object: UnsafeMutablePointer<From>, _ signal: String, with handler: @escaping SignalHandler
  ) -> gulong {
    let raw = UnsafeMutableRawPointer(object)
    let box = Unmanaged.passRetained(HandlerBox(handler)).toOpaque()
    let closure = made(g_closure_new_simple(guint(MemoryLayout<GClosure>.size), box))
    g_closure_add_finalize_notifier(closure, box) { box, _ in
      guard let box else { return }
      // Safety: the closure was created with a retained box, and is finalized once.
      Unmanaged<HandlerBox>.fromOpaque(box).release()
    }
    g_closure_set_meta_marshal(closure, box) { _, result, count, values, _, box in
      // Safety: GTK is used on the main thread only, so its signals are sent there.
      nonisolated(unsafe) let (box, values, result) = (box, values, result)
      MainActor.assumeIsolated {
        guard let box, let values else { return }
        let handler = Unmanaged<HandlerBox>.fromOpaque(box).takeUnretainedValue().handler
        let answer = handler(SignalArguments(values, count: Int(count)))
        if let result, Bool(g_type_check_value_holds(result, runnel_type_boolean())) {
          g_value_set_boolean(result, answer.gboolean)
        }
      }
    }
    let identifier = g_signal_connect_closure(raw, signal, closure, 0)
    g_object_ref(raw)
    connections.append((raw, identifier))
    return identifier
  }

  @discardableResult
  func answer(
    _ object: OpaquePointer, _ signal: String, with handler: @escaping SignalHandler
  ) -> gulong {
    let pointer: UnsafeMutablePointer<GObject> = cast(object)
    return answer(pointer, signal, with: handler)
  }

  @discardableResult
  func connect<From>(
    _ object: UnsafeMutablePointer<From>, _ signal: String,
    _ handler: @escaping @MainActor (SignalArguments) -> Void
  ) -> gulong {
    answer(object, signal) { arguments in
      handler(arguments)
      return false
    }
  }

  @discardableResult
  func connect(
    _ object: OpaquePointer, _ signal: String,
    _ handler: @escaping @MainActor (SignalArguments) -> Void
  ) -> gulong {
    let pointer: UnsafeMutablePointer<GObject> = cast(object)
    return connect(pointer, signal, handler)
  }

  /// Disconnects and releases all handlers.
  func disconnectAll() {
    let all = connections
    connections = []
    if all.isEmpty { return }
    for (object, handler) in all { g_signal_handler_disconnect(object, handler) }
    // A function of an object may have called the handler that ends it: it returns first.
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { objects in
        guard let objects else { return 0 }
        // Safety: the list was retained for this callback, which is called once.
        for object in Unmanaged<ObjectList>.fromOpaque(objects).takeRetainedValue().objects {
          g_object_unref(object)
        }
        return 0
      }, Unmanaged.passRetained(ObjectList(all.map(\.object))).toOpaque(), nil)
  }
}

private final class ObjectList {
  let objects: [UnsafeMutableRawPointer]

  init(_ objects: [UnsafeMutableRawPointer]) {
    self.objects = objects
  }
}

private final class HandlerBox {
  let handler: SignalHandler

  init(_ handler: @escaping SignalHandler) {
    self.handler = handler
  }
}
#endif
