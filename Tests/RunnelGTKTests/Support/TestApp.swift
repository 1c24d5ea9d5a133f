#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

/// An application in a window of GTK, for one test. Call ``end()`` last.
///
/// Make it inside the test rather than in the `init` of its suite. The main actor of tests may change its thread between
/// the two, and the main context of GLib belongs to a thread.
@MainActor
final class TestApp {
  let backend: GTKBackend
  let application: Application
  let window: Window

  init(_ content: View, size: Size = Size(width: 40, height: 12)) throws {
    _ = try #require(Display.shared, "Xvfb does not start.")
    backend = try GTKBackend(identifier: "org.runnel.Tests", size: size)
    application = Application(backend: backend)
    window = Window(title: "Test", content: content)
    application.show(window)
    settle()
  }

  func end() {
    application.end()
    settle()
  }

  /// Updates the widgets, and returns when GTK has drawn them.
  ///
  /// The main actor of tests does not run on the main loop, so GLib waits for its events itself.
  func settle() {
    backend.sync()
    if let window = backend.windows.last {
      precondition(Bool(g_main_context_is_owner(nil)), "The app was made on another thread.")
      #expect(window.draw(within: .seconds(60)), "GTK does not draw the window.")
    }
    backend.sync()
  }

  /// The native widget of a view.
  func native(_ view: View) throws -> Widget {
    try #require(try mirror(view).native)
  }

  func mirror(_ view: View) throws -> ViewMirror {
    try #require(backend.windows.lazy.compactMap { $0.knownMirror(of: view) }.first)
  }

  func press(_ keys: String...) throws {
    for key in keys { backend.send(.key(try #require(KeyPress(key)))) }
    settle()
  }

  func type(_ text: String) {
    for character in text { backend.send(.key(KeyPress(.character(character)))) }
    settle()
  }

  /// The texts of the widgets, line by line.
  var lines: [String] {
    settle()
    return backend.grid.lines
  }
}

extension WindowMirror {
  /// Returns true when GTK has drawn the current state of the window, or false after a time limit.
  func draw(within limit: Duration) -> Bool {
    guard let frame = nextFrame(within: limit, until: { true }) else { return false }
    g_object_unref(UnsafeMutableRawPointer(frame))
    return true
  }
}
#endif
