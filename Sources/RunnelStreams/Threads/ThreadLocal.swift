#if canImport(Glibc)
import Glibc
#else
#error("Runnel needs Linux with glibc. Add it as a dependency for Linux only.")
#endif

/// One object for each thread, created when the thread first asks for it and released when the thread ends.
struct ThreadLocal<Object: AnyObject>: Sendable {
  private let key: pthread_key_t
  private let make: @Sendable () -> Object

  /// There are few keys in a process and they are never freed: keep it in a `static let`.
  init(_ make: @escaping @Sendable () -> Object) {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      // Safety: the pointer is the retained object that `value` stored for this thread.
      Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
    require(status == 0, "No thread-specific key is left in this process.")
    self.key = key
    self.make = make
  }

  /// The object of the calling thread. Never inlined, because async code may change threads between
  /// two uses.
  @inline(never)
  var value: Object {
    if let pointer = pthread_getspecific(key) {
      // Safety: it was stored below for this thread, and is released when the thread ends.
      return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
    }
    let object = make()
    // Safety: the destructor of the key releases what is retained here.
    pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    return object
  }
}
