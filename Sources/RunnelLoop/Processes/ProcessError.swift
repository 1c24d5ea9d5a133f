import Glibc

/// Why a program cannot be run, or its output not be had.
public enum ProcessError: Error, Hashable, CustomStringConvertible {
  /// There is no such program, or its interpreter is missing.
  case missing(String)
  /// The file is there, but this process may not run it, or it is no program.
  case notExecutable(String)
  /// The folder that it was to run in is not there.
  case missingFolder(String)
  /// Text that no program can be given: it contains a zero, or it is no name for a variable.
  case unusable(String)
  /// The process or the system has as many open descriptors as it may.
  case tooManyDescriptors
  /// The user or the system has as many processes as it may.
  case tooManyProcesses
  /// The program wrote more than was asked for, and was ended.
  case tooMuchOutput(limit: Int)
  /// What it wrote could not be read.
  case unreadable(DescriptorError)
  /// What the system said otherwise: a value of `errno`.
  case system(Int32)

  /// Says what is wrong and what to do about it.
  public var description: String {
    switch self {
    case .missing(let program):
      """
      There is no program "\(program)". Install it, or give its whole path; for a script, see that \
      its first line names an interpreter that is there.
      """
    case .notExecutable(let program):
      """
      "\(program)" cannot be run: see that it is a program for this system or a script that names \
      its interpreter, and that this user may run it (chmod +x).
      """
    case .missingFolder(let folder):
      "There is no folder \"\(folder)\" to run a program in. Create it first."
    case .unusable(let text):
      """
      "\(text)" cannot be given to a program: arguments have no zeros in them, and the names of \
      variables are not empty and have no "=" either. Write it to the standard input instead.
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
  /// Why a child cannot be connected to this process, or its end not be waited for.
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
