#if GTK
import Foundation
import RunnelTesting
import Testing

/// True if IBus and its input methods of m17n are installed.
private let hasInputMethods = [
  "/usr/bin/ibus-daemon", "/usr/bin/dbus-run-session", "/usr/libexec/ibus-engine-m17n",
].allSatisfy(NotesProgram.isExecutable)

extension GTKTests {
  /// Notes with the input methods of IBus, which compose text from real keys.
  @Suite(
    .enabled(
      if: NotesProgram.canSendEvents && hasInputMethods,
      "Xvfb, xdotool or an input method of IBus is missing."))
  struct InputMethodTests {
    /// Chooses an input method for Vietnamese, then starts a program.
    private static let shell = """
      export GTK_IM_MODULE=ibus XDG_CONFIG_HOME="$HOME/config" GSETTINGS_BACKEND=memory
      ibus-daemon --panel=disable >/dev/null 2>&1 & daemon=$!
      # The first command reports an error even if it succeeds.
      until [ "$(ibus engine 2>/dev/null)" = m17n:vi:telex ]; do
        sleep 0.05
        kill -0 $daemon || exit 99
        ibus engine m17n:vi:telex >/dev/null 2>&1
      done
      touch "$HOME/ready"
      exec "$@"
      """

    @Test("Text that an input method composes stays in its note")
    func composedTextStaysInItsNote() async throws {
      try await ManualContext.onThread { _ in
        Result {
          let notes = try NotesProgram(
            ["Apple.txt": "red", "Banana.txt": "yellow"],
            launcher: ["/usr/bin/dbus-run-session", "--", "/bin/sh", "-c", Self.shell, "sh"])
          defer { notes.end() }
          try notes.wait("the input method") {
            FileManager.default.fileExists(atPath: "\(notes.home)/ready")
          }
          try notes.waitForWindow()
          try notes.press("Down", "Tab", "Tab")
          try Self.waitForInputMethod(of: notes)
          try notes.type("vieetj")
          // Another note is opened by the mouse: the input method inserts the text before that.
          try notes.click(column: 3, row: 4)
          try notes.wait(forFile: "Apple.txt", "việt")
          #expect(try notes.files()["Banana.txt"] == "yellow")
          let errors = try notes.errors
          #expect(!errors.contains("Gtk-") && !errors.contains("Fatal"), "\(errors)")
        }
      }.get()
    }

    /// GTK connects to the input method in the background: the first keys may type themselves.
    private static func waitForInputMethod(of notes: NotesProgram) throws {
      var text = "red"
      while text != "â " {
        try notes.press("ctrl+a", "BackSpace")
        try notes.wait(forFile: "Apple.txt", "")
        try notes.press("a", "a", "space")
        try notes.wait("text") { try notes.files()["Apple.txt"]?.hasSuffix(" ") == true }
        text = try notes.files()["Apple.txt"] ?? ""
      }
      try notes.press("ctrl+a", "BackSpace")
      try notes.wait(forFile: "Apple.txt", "")
    }
  }
}
#endif
