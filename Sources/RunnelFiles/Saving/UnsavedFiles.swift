/// What was to be in a file, and could not be saved.
public struct UnsavedFile: Sendable, Hashable {
  /// The name of the file.
  public let name: FileName
  /// What was to be in it.
  public let bytes: [UInt8]
  /// Why it is not, as far as that is known.
  public let problem: FileError?

  /// A file that could not be saved.
  public init(_ name: FileName, bytes: [UInt8], problem: FileError? = nil) {
    self.name = name
    self.bytes = bytes
    self.problem = problem
  }
}

/// Says of files that could not be saved where what was to be in them is now, before a program ends.
///
///     let unsaved = [UnsavedFile("Milk.txt", bytes: Array("two bottles".utf8))]
///     print(UnsavedFiles(unsaved, rescuedBy: Rescue(of: "notes")))
public struct UnsavedFiles: Error, Hashable, CustomStringConvertible {
  /// A line for each of them, for people to see.
  public let description: String

  /// Writes the files to where there is room for them.
  public init(_ files: [UnsavedFile], rescuedBy rescue: Rescue) {
    description = files.map { Self.line(for: $0, rescue) }.joined(separator: "\n")
  }

  private static func line(for file: UnsavedFile, _ rescue: Rescue) -> String {
    let name = "\"\(file.name.stem.printable)\""
    let reason = file.problem.map { " \($0)" } ?? ""
    do throws(FileError) {
      let path = try rescue.keep(file.bytes, as: file.name)
      return "\(name) is not saved, but is in \"\(path.printable)\".\(reason)"
    } catch {
      return "\(name) is not saved: what was to be in it is lost.\(reason)"
    }
  }
}
