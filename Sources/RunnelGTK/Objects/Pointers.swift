#if GTK
import CGTK

/// A widget of GTK, of any class.
typealias Widget = UnsafeMutablePointer<GtkWidget>

// GTK's functions take a pointer of the class that they belong to. Classes whose structure is
// private are imported as `OpaquePointer`. The type that a call wants chooses one of these
// functions.

func cast<From, To>(_ pointer: UnsafeMutablePointer<From>) -> UnsafeMutablePointer<To> {
  // Safety: objects of GTK begin with the structure of each of their ancestors.
  UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}

func cast<From>(_ pointer: UnsafeMutablePointer<From>) -> OpaquePointer {
  OpaquePointer(pointer)
}

func cast<To>(_ pointer: OpaquePointer) -> UnsafeMutablePointer<To> {
  UnsafeMutablePointer(pointer)
}

/// Returns an object that a constructor has made. GLib ends the process when memory is used up, so
/// constructors never return nil.
func made<Pointer>(_ pointer: Pointer?) -> Pointer {
  guard let pointer else { fatalError("GTK could not create an object.") }
  return pointer
}

/// Returns a text that GTK has allocated, and frees it.
func text(freeing pointer: UnsafeMutablePointer<CChar>?) -> String {
  defer { g_free(pointer) }
  return pointer.map { String(cString: $0) } ?? ""
}

/// Returns a text that GTK owns.
func text(of pointer: UnsafePointer<CChar>?) -> String {
  pointer.map { String(cString: $0) } ?? ""
}

extension Bool {
  init(_ value: gboolean) {
    self = value != 0
  }

  var gboolean: gboolean { self ? 1 : 0 }
}
#endif
