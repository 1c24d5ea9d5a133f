import Glibc

/// Prints a line at once, from any thread.
func printLine(_ line: String) {
  let text = line + "\n"
  _ = write(STDOUT_FILENO, text, text.utf8.count)
}
