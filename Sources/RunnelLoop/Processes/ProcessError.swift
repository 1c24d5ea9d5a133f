import Glibc

/// An error of running a program or reading its output.
public enum ProcessError: Error, Hashable, CustomStringConvertible {
  /// The program or its interpreter does not exist.
  case missing(String)
  /// The file exists, but this process may not run it, or it is not a program.
  case notExecutable(String)
  /// The working folder does not exist.
  case missingFolder(String)
  /// A text that cannot be passed to a program: it contains a zero byte, or is not a valid variable
  /// name.
  case unusable(String)
  /// The process or the system has reached its limit of open descriptors.
  case tooManyDescriptors
  /// The user or the system has reached its limit of processes.
  case tooManyProcesses
  /// The program wrote more than the limit and was killed.
  case tooMuchOutput(limit: Int)
  /// The output could not be read.
  case unreadable(DescriptorError)
  /// Any other error of the system, as a value of `errno`.
  case system(Int32)

  /// The cause of the error, and its remedy.
  public var description: String {
    switch self {
    case .missing(let program):
      """
      There is no program "\(program)". Install it, or give its full path. For a script, check \
      that the interpreter in its first line exists.
      """
    case .notExecutable(let program):
      """
      "\(program)" cannot be run. Check that it is a program for this system, or a script that \
      names its interpreter, and that this user may run it (chmod +x).
      """
    case .missingFolder(let folder):
      "There is no folder \"\(folder)\" to run a program in. Create it first."
    case .unusable(let text):
      """
      "\(text)" cannot be passed to a program. Arguments must not contain zero bytes, and names \
      of variables must not be empty or contain "=". Use the standard input for other data.
      """
    case .tooManyDescriptors:
      "No more descriptors can be opened. Close some, or raise the limit (ulimit -n)."
    case .tooManyProcesses:
      "No more processes can be started. Run fewer at a time, or raise the limit (ulimit -u)."
    case .tooMuchOutput(let limit):
      "The program wrote more than \(limit) bytes. Raise the limit, or observe a ChildProcess."
    case .unreadable(let error): "What the program wrote could not be read. \(error)"
    case .system(let code):
      "The program could not be run. \(explanation(of: code))"
    }
  }

  init(_ code: Int32, running program: String, in folder: String?) {
    if let folder, !isFolder(folder) {
      self = .missingFolder(folder)
      return
    }
    self =
      switch code {
      case ENOENT, ENOTDIR: .missing(program)
      case EACCES, ENOEXEC, EISDIR: .notExecutable(program)
      case EMFILE, ENFILE: .tooManyDescriptors
      case EAGAIN: .tooManyProcesses
      default: .system(code)
      }
  }
}

extension ProcessError {
  /// The error for a failure to connect to a child or to watch for its end.
  init(_ error: DescriptorError) {
    self =
      switch error {
      case .tooMany: .tooManyDescriptors
      case .system(let code): .system(code)
      default: .unreadable(error)
      }
  }
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
