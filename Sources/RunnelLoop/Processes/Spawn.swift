import CLinux
import Glibc

/// The parameters of a call of `posix_spawn`.
struct Spawn {
  let program: String
  let arguments: [String]
  let options: ProcessOptions
  let standards: [Standard]
  /// The descriptor of this process that becomes descriptor 3.
  var notification: Descriptor?

  private static let notificationNumber: Int32 = 3

  /// The target of one of the child's three standard descriptors.
  enum Standard {
    case inherited
    case nothing
    /// A descriptor of this process, which the child keeps only under the standard number.
    case descriptor(Descriptor)
  }

  /// Starts the program with only its standard descriptors, no signal blocked, and none ignored.
  /// Returns its process identifier.
  func start() throws(ProcessError) -> pid_t {
    try check()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, standard) in zip(Int32(0)..., standards) {
      switch standard {
      case .inherited: break
      case .nothing:
        let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
      }
    }
    if let notification {
      posix_spawn_file_actions_adddup2(&actions, notification.number, Self.notificationNumber)
    }
    // Descriptors of Runnel are closed on exec, but those of other code may not be.
    _ = runnel_close_from(&actions, Self.notificationNumber + (notification == nil ? 0 : 1))
    if let folder = options.workingFolder {
      _ = runnel_change_folder(&actions, folder)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    if options.group != .inherited { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var process = pid_t()
    let code = withCStrings([program] + arguments) { arguments in
      withEnvironment { environment in
        posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      throw ProcessError(code, running: program, in: options.workingFolder)
    }
    return process
  }

  private func check() throws(ProcessError) {
    let variables = options.environment ?? [:]
    let texts = [program] + arguments + [options.workingFolder ?? ""]
    for text in texts + variables.keys + variables.values where text.utf8.contains(0) {
      throw .unusable(text)
    }
    for name in variables.keys where name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) {
      throw .unusable(name)
    }
  }

  private func withEnvironment<Output>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Output
  ) -> Output {
    guard let variables = options.environment else { return body(runnel_environment()) }
    return withCStrings(variables.map { "\($0.key)=\($0.value)" }, body)
  }

  private func withCStrings<Output>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Output
  ) -> Output {
    let pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // Safety: the array ends with nil, so it is not empty.
    return pointers.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
