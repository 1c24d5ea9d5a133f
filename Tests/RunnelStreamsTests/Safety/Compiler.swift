import Glibc

/// The compiler that these tests were built with, run on a file that uses the modules they use.
struct Compiler: Sendable {
  private let path: String
  private let build: String

  /// Looks for the compiler beside the runtime that this process has loaded, then in the `PATH`; and
  /// for the modules beside the test binary.
  init() throws(CompilerMissing) {
    let images = Self.loadedFiles()
    let runtime = images.first { $0.hasSuffix("/libswiftCore.so") }
    let beside = runtime.flatMap { runtime in
      runtime.prefix(before: "/lib/swift/").map { $0 + "/bin/swiftc" }
    }
    let inPath = (Self.variable("PATH") ?? "").split(separator: ":").map { "\($0)/swiftc" }
    guard let path = ([beside].compactMap { $0 } + inPath).first(where: { access($0, X_OK) == 0 })
    else { throw CompilerMissing(what: "swiftc, neither beside the runtime nor in the PATH") }

    let folders = images.filter { $0.contains(".xctest") }.compactMap(\.folder)
    guard let build = folders.first(where: { access($0 + "/Modules", R_OK) == 0 })
    else { throw CompilerMissing(what: "the built modules beside the test binary") }
    self.path = path
    self.build = build
  }

  /// What is wrong if this file is not rejected with the words of its first line; nil if it is.
  func fault(ofRejected file: String) -> String? {
    let mark = "// expect: "
    guard let line = text(of: file)?.split(separator: "\n").first, line.hasPrefix(mark) else {
      return "\(file): the first line must say what the compiler says: \(mark)…"
    }
    let expected = String(line.dropFirst(mark.count))
    let (status, output) = compile(file)
    if status == 0 { return "\(file): compiles, and must be rejected with: \(expected)" }
    let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
    if errors.contains(where: { $0.contains(expected) }) { return nil }
    return "\(file): must be rejected with: \(expected)\nbut the compiler says:\n\(output)"
  }

  /// What is wrong if this file does not compile without a word; nil if it does.
  func fault(ofAccepted file: String) -> String? {
    let (status, output) = compile(file)
    if status == 0 && output.isEmpty { return nil }
    return "\(file): must compile, but the compiler says:\n\(output)"
  }

  private func compile(_ file: String) -> (status: Int32, output: String) {
    run([
      path, "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
      "-module-name", "Snippet", "-I", build + "/Modules",
      "-module-cache-path", build + "/SnippetModules", file,
    ])
  }

  private func run(_ arguments: [String]) -> (status: Int32, output: String) {
    // Closed on exec, so that no other child of this process keeps the end open.
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return (-1, "no pipe: \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    defer { close(ends[0]) }
    guard failure == 0 else { return (-1, "\(path) does not start: \(failure)") }

    let output = Self.readAll(from: ends[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return (status, String(decoding: output, as: UTF8.self))
  }

  private func text(of file: String) -> String? {
    Self.contents(of: file).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func loadedFiles() -> [String] {
    let maps = contents(of: "/proc/self/maps") ?? []
    return String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      return fields.count == 6 ? String(fields[5].drop { $0 == " " }) : nil
    }
  }

  private static func contents(of file: String) -> [UInt8]? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return readAll(from: descriptor)
  }

  private static func readAll(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// The tests cannot find what they need to compile a snippet.
struct CompilerMissing: Error, CustomStringConvertible {
  let what: String
  var description: String { "The safety tests do not find \(what)." }
}

/// The Swift files in a folder of snippets, by name.
func snippets(in folder: String, beside file: String = #filePath) -> [String] {
  let path = "\(file.folder ?? ".")/Snippets/\(folder)"
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
      field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".swift") { names.append("\(path)/\(name)") }
  }
  return names.sorted()
}

extension String {
  /// The path without its last component.
  fileprivate var folder: String? {
    lastIndex(of: "/").map { String(self[..<$0]) }
  }

  /// What stands before the first occurrence of a text.
  fileprivate func prefix(before text: String) -> String? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return String(self[..<start]) }
      start = index(after: start)
    }
    return nil
  }
}
