/// The folders and files that a ``FileDialog`` shows.
///
/// ``DiskListing`` lists the files of the system. Tests, and apps that store their documents
/// elsewhere, provide their own type. The methods are called on the main actor and should be fast.
@MainActor
public protocol FileListing {
  /// The folder that "~" stands for.
  var home: String { get }
  /// Returns the entries of a folder, in any order.
  func entries(of folder: String) throws(FileListingError) -> [FileEntry]
  /// Returns the entry at a path; nil if there is none.
  func entry(at path: String) throws(FileListingError) -> FileEntry?
  /// Returns the size of a file in bytes; nil if it is unknown.
  func size(of path: String) -> Int?
  /// Creates a folder.
  func makeFolder(at path: String) throws(FileListingError)
}

/// An entry of a folder.
public struct FileEntry: Hashable, Sendable, Identifiable {
  /// The name in its folder.
  public var name: String
  /// True for a folder, and for a link to one.
  public var isFolder: Bool

  /// The name.
  public var id: String { name }

  /// Creates an entry.
  public init(_ name: String, isFolder: Bool = false) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// The reason why a folder cannot be listed or created, as the dialog shows it.
public struct FileListingError: Error, Hashable, CustomStringConvertible {
  /// The reason, and what to do about it.
  public var description: String

  /// Creates an error with a reason.
  public init(_ description: String) {
    self.description = description
  }
}
