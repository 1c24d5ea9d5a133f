/// The contents of a file that could not be saved.
public struct UnsavedFile: Sendable, Hashable {
  /// The name of the file.
  public let name: FileName
  /// The bytes that were not saved.
  public let bytes: [UInt8]
  /// The error of the save, if it is known.
  public let problem: FileError?

  /// Creates a description of a file that could not be saved.
  public init(_ name: FileName, bytes: [UInt8], problem: FileError? = nil) {
    self.name = name
    self.bytes = bytes
    self.problem = problem
  }
}

/// A report of unsaved files and the paths to which they were rescued, for the end of a program.
///
///     let unsaved = [UnsavedFile("Milk.txt", bytes: Array("two bottles".utf8))]
///     print(UnsavedFiles(unsaved, rescuedBy: Rescue(of: "notes")))
public struct UnsavedFiles: Error, Hashable, CustomStringConvertible {
  /// One line per file, for display to the user.
  public let description: String

  /// Writes the files to the first rescue folder that has room.
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
      return "\(name) is not saved: its new contents are lost.\(reason)"
    }
  }
}
