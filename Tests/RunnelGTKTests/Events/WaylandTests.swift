#if GTK
import Foundation
import RunnelTesting
import Testing

extension GTKTests {
  /// Notes on a compositor of Wayland, which is a window of an X server, so that it gets real keys.
  @Suite(
    .enabled(
      if: NotesProgram.canSendEvents && NotesProgram.isExecutable("/usr/bin/weston"),
      "Xvfb, xdotool or weston is missing."))
  struct WaylandTests {
    /// Starts the compositor, then a program, whose messages of Wayland it lists.
    private static let shell = """
      weston --no-config --backend=x11-backend.so --socket=wayland-test --idle-time=0 \\
        --width=1000 --height=800 --log="$HOME/weston.log" & weston=$!
      echo $weston > "$HOME/weston.pid"
      until [ -S "$XDG_RUNTIME_DIR/wayland-test" ]; do kill -0 $weston || exit 99; sleep 0.05; done
      env -u DISPLAY WAYLAND_DISPLAY=wayland-test GDK_BACKEND=wayland WAYLAND_DEBUG=1 "$@"
      status=$?
      kill $weston 2>/dev/null
      exit $status
      """

    private func withNotes(
      _ body: @escaping @Sendable (NotesProgram) throws -> Void
    ) async throws {
      try await ManualContext.onThread { _ in
        Result {
          let notes = try NotesProgram(
            ["Apple.txt": "red", "Banana.txt": "yellow"],
            launcher: ["/bin/sh", "-c", Self.shell, "sh"], hasHeaderBar: true)
          defer { notes.end() }
          // The X server ends with its last client, which must not be the one that moves the mouse.
          try notes.wait("the compositor") {
            FileManager.default.fileExists(atPath: "\(notes.home)/wayland-test")
          }
          // Without a window manager, the window under the mouse has the focus.
          try notes.xdotool("mousemove", "500", "400")
          try notes.wait("the focus") { try notes.hasMessage("wl_keyboard@", ".enter(") }
          #expect(try notes.hasMessage("set_app_id(", "org.runnel.Notes"))
          try body(notes)
          let (status, errors) = try notes.waitForExit()
          #expect(status == 0)
          #expect(!errors.contains("Gdk-") && !errors.contains("Gtk-"), "\(errors.suffix(2_000))")
        }
      }.get()
    }

    @Test("Keys and menus work on Wayland")
    func keysAndMenusWork() async throws {
      try await withNotes { notes in
        try notes.type("Milk\n")
        try notes.wait(forFile: "Milk.txt", "")
        try notes.type("two bottles")
        try notes.wait(forFile: "Milk.txt", "two bottles")
        // A compositor opens a menu only for a key or a button that is still held.
        try notes.xdotool("keydown", "F10")
        try notes.wait("the menu") { try notes.hasMessage("xdg_popup@", ".configure(") }
        try notes.xdotool("keyup", "F10")
        try notes.press("Escape")
        try notes.wait("the end of the menu") { try notes.hasMessage("xdg_popup@", ".destroy(") }
        try notes.type(" of")
        try notes.wait(forFile: "Milk.txt", "two bottles of")
        try notes.press("ctrl+q")
      }
    }

    /// GTK would end the process at once, with the last words unsaved.
    @Test("The end of the compositor saves notes")
    func endOfTheCompositorSavesNotes() async throws {
      try await withNotes { notes in
        try notes.type("Milk\n")
        try notes.wait(forFile: "Milk.txt", "")
        try notes.type("two")
        try notes.run(["/bin/sh", "-c", "kill -9 $(cat \"$HOME/weston.pid\")"])
        _ = try notes.waitForExit()
        // The last letters may not have arrived.
        let text = try notes.files()["Milk.txt"] ?? "missing"
        #expect("two".hasPrefix(text))
      }
    }
  }
}

extension NotesProgram {
  /// Returns true if the program has listed a message of Wayland with two parts.
  fileprivate func hasMessage(_ first: String, _ second: String) throws -> Bool {
    try errors.split(separator: "\n").contains { $0.contains(first) && $0.contains(second) }
  }
}
#endif
