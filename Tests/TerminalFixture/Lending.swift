import Glibc
import RunnelTerminal

extension Terminal {
  /// Lends the terminal to a program that lends it to another one.
  func lendTwice() {
    let device = open(CommandLine.arguments.last ?? "", O_WRONLY | O_NOCTTY | O_CLOEXEC)
    func say(_ text: String) { _ = Glibc.write(device, text, text.utf8.count) }
    lend()
    say("[outer ")
    lend()
    say("inner ")
    takeBack()
    say("outer]")
    takeBack()
    // Without effect.
    takeBack()
    Glibc.close(device)
  }
}
