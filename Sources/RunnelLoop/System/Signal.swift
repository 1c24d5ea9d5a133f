import Glibc

/// A signal of the system, by its number.
public struct Signal: RawRepresentable, Hashable, Sendable {
  /// The number, `SIGTERM` and so on.
  public let rawValue: Int32

  /// The signal with a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `SIGHUP`: the terminal has gone; for a daemon: read the configuration again.
  public static let hangup = Signal(rawValue: SIGHUP)
  /// `SIGINT`: Ctrl-C.
  public static let interrupt = Signal(rawValue: SIGINT)
  /// `SIGQUIT`: Ctrl-\.
  public static let quit = Signal(rawValue: SIGQUIT)
  /// `SIGABRT`: what `abort()` and a failed assertion send.
  public static let abort = Signal(rawValue: SIGABRT)
  /// `SIGKILL`: ends the process, and cannot be listened to.
  public static let kill = Signal(rawValue: SIGKILL)
  /// `SIGUSR1`: free for the program.
  public static let user1 = Signal(rawValue: SIGUSR1)
  /// `SIGUSR2`: free for the program.
  public static let user2 = Signal(rawValue: SIGUSR2)
  /// `SIGPIPE`: something was written that nobody will read.
  public static let brokenPipe = Signal(rawValue: SIGPIPE)
  /// `SIGALRM`: what `alarm()` sends.
  public static let alarm = Signal(rawValue: SIGALRM)
  /// `SIGTERM`: please end.
  public static let terminate = Signal(rawValue: SIGTERM)
  /// `SIGCHLD`: a child process has ended or stopped.
  public static let child = Signal(rawValue: SIGCHLD)
  /// `SIGCONT`: go on after a stop.
  public static let `continue` = Signal(rawValue: SIGCONT)
  /// `SIGSTOP`: stops the process, and cannot be listened to.
  public static let stop = Signal(rawValue: SIGSTOP)
  /// `SIGTSTP`: Ctrl-Z.
  public static let terminalStop = Signal(rawValue: SIGTSTP)
  /// `SIGWINCH`: the window of the terminal has another size.
  public static let windowChange = Signal(rawValue: SIGWINCH)

  /// A real-time signal, free for the program: `SIGRTMIN` and so many more.
  public static func realTime(_ offset: Int32) -> Signal {
    Signal(rawValue: __libc_current_sigrtmin() + offset)
  }
}

extension Signal: CustomStringConvertible {
  /// The name that the system has for it.
  public var description: String {
    if let name = Self.names[rawValue] { return name }
    let offset = rawValue - __libc_current_sigrtmin()
    if offset >= 0 && rawValue <= __libc_current_sigrtmax() { return "SIGRTMIN+\(offset)" }
    return "signal \(rawValue)"
  }

  private static let names = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE",
    SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT",
    SIGSTOP: "SIGSTOP", SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU",
    SIGURG: "SIGURG", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM",
    SIGPROF: "SIGPROF", SIGWINCH: "SIGWINCH", SIGPOLL: "SIGIO", SIGSYS: "SIGSYS",
  ]
}

extension Signal {
  /// Its place in a set of signals.
  var bit: UInt64 { 1 << UInt64(rawValue - 1) }

  /// Why it cannot be listened to; nil if it can.
  var obstacle: String? {
    switch rawValue {
    case SIGKILL, SIGSTOP:
      "the system does not tell the process about it. Listen to .terminate or .terminalStop"
    case SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP:
      """
      it reports a fault of the instruction that runs, which would run again for ever if the \
      process went on. Leave it to the crash reporter
      """
    case 1..<32, __libc_current_sigrtmin()...__libc_current_sigrtmax(): nil
    default: "there is no such signal, or the C library keeps it for itself"
    }
  }
}
