import Glibc

extension Compiler {
  /// Returns the fault if the file is not rejected with the error in its first line, or nil.
  func fault(ofRejected file: String) -> String? {
    let mark = "// expect: "
    guard let line = Self.text(of: file)?.split(separator: "\n").first, line.hasPrefix(mark) else {
      return "\(file): the first line must contain the expected error: \(mark)…"
    }
    let expected = String(line.dropFirst(mark.count))
    let (status, output) = compile([file])
    if status == 0 { return "\(file): compiles, and must be rejected with: \(expected)" }
    let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
    if errors.contains(where: { $0.contains(expected) }) { return nil }
    return "\(file): must be rejected with: \(expected)\nbut the compiler reports:\n\(output)"
  }

  /// Returns the fault if the file does not compile without diagnostics, or nil.
  func fault(ofAccepted file: String) -> String? {
    let (status, output) = compile([file])
    if status == 0 && output.isEmpty { return nil }
    return "\(file): must compile, but the compiler reports:\n\(output)"
  }
}

/// Returns the paths of the Swift files in a folder of snippets, sorted.
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
