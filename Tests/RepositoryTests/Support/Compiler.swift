import CLinux
import Glibc

@testable import ExampleFiles

/// The compiler that built these tests. It compiles files against the same built modules.
struct Compiler: Sendable {
  /// The folder of the compiler and its tools.
  private let tools: String
  /// The folder of the build products.
  let build: String
  /// The folder of the built modules.
  var modules: String { build + "/Modules" }

  /// Searches for the compiler next to the runtime that this process has loaded, then in the
  /// `PATH`, and for the modules next to the test binary.
  init() throws(CompilerMissing) {
    let images = Self.loadedFiles()
    let runtime = images.first { $0.hasSuffix("/libswiftCore.so") }
    let beside = runtime.flatMap { runtime in
      runtime.prefix(before: "/lib/swift/").map { $0 + "/bin/swiftc" }
    }
    let inPath = (Self.variable("PATH") ?? "").split(separator: ":").map { "\($0)/swiftc" }
    let found = ([beside].compactMap { $0 } + inPath).first { access($0, X_OK) == 0 }
    guard let tools = found?.folder else {
      throw CompilerMissing(what: "swiftc, neither beside the runtime nor in the PATH")
    }

    let folders = images.filter { $0.contains(".xctest") }.compactMap(\.folder)
    guard let build = folders.first(where: { access($0 + "/Modules", R_OK) == 0 })
    else { throw CompilerMissing(what: "the built modules beside the test binary") }
    self.tools = tools
    self.build = build
  }

  /// Compiles files as one module up to the stage that finds data races, after type checking.
  func compile(_ files: [String]) -> (status: Int32, output: String) {
    run(
      "swiftc",
      [
        "-emit-sil", "-o", "/dev/null", "-wmo", "-swift-version", "6", "-parse-as-library",
        "-module-name", "Snippet", "-I", modules,
        "-module-cache-path", build + "/SnippetModules",
        "-load-plugin-executable", build + "/RunnelMacros-tool#RunnelMacros",
      ] + Self.systemModules + files)
  }

  /// The compiler options for the module maps of C libraries, which the built modules import.
  static let systemModules = [
    "CLibevent", "CLinux", "CMainQueue", "COpenSSL", "CSockets/include", "CStacks/include",
    "CSystemd", "CTerminal/include", "CZlib",
  ]
  .flatMap { folder in
    let map = PackageFiles.root.appending(path: "Sources/\(folder)/module.modulemap")
    return ["-Xcc", "-fmodule-map-file=\(map.path(percentEncoded: false))"]
  }

  /// Runs a tool from the compiler's folder, with an additional environment variable ("NAME=value")
  /// if one is given.
  func run(
    _ tool: String, _ arguments: [String], variable: String? = nil
  ) -> (status: Int32, output: String) {
    let path = tools + "/" + tool
    // Close-on-exec, so that no other child of this process keeps the end open.
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return (-1, "no pipe: \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    // Files that other tests are writing would stay open in the child.
    _ = runnel_close_from(&actions, 3)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = []
    if let variable { variables.append(strdup(variable)) }
    var next = environ
    while let inherited = next.pointee {
      variables.append(strdup(inherited))
      next += 1
    }
    variables.append(nil)
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &words, &variables)
    for variable in variables { free(variable) }
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

  /// Returns the text of a file, or nil if it cannot be read.
  static func text(of file: String) -> String? {
    contents(of: file).map { String(decoding: $0, as: UTF8.self) }
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

/// An error: the tests cannot find a file that they need to run the compiler.
struct CompilerMissing: Error, CustomStringConvertible {
  let what: String
  var description: String { "These tests do not find \(what)." }
}

extension String {
  /// The path without its last component.
  var folder: String? {
    lastIndex(of: "/").map { String(self[..<$0]) }
  }

  /// Returns the prefix before the first occurrence of a text, or nil.
  fileprivate func prefix(before text: String) -> String? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return String(self[..<start]) }
      start = index(after: start)
    }
    return nil
  }
}
