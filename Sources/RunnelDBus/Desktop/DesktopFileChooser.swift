import RunnelStreams

/// A dialog of the desktop in which the user chooses files, for a program without windows, or with other
/// windows than those of GTK.
///
///     let chooser = DesktopFileChooser(on: bus)
///     var dialog = DesktopFileDialog("Import", .open(several: true))
///     dialog.filters = [.init("Notes", patterns: ["*.md", "*.txt"])]
///     chooser.choose(dialog).observe(
///       succeeded: { addresses in show(addresses) }, failed: { error in show(error) })
///
/// It needs a portal, which the bus starts if it can. Without one, choosing fails with
/// ``BusError/serviceUnknown(_:)``, or ``BusError/unknownInterface(_:)``.
public final class DesktopFileChooser {
  private let bus: BusConnection

  /// Creates a chooser. Nothing is sent.
  public init(on bus: BusConnection) {
    self.bus = bus
  }

  /// Shows a dialog each time that the result is observed.
  ///
  /// *Events*: sends the addresses of the chosen files, such as `file:///home/emma/Plans.txt`. They are
  /// empty if the user cancels.
  ///
  /// *Disposal*: closes the dialog.
  public func choose(_ dialog: DesktopFileDialog) -> Single<[String], BusError> {
    let isSaving: Bool
    var options: [String: Variant] = ["modal": Variant(true)]
    switch dialog.kind {
    case .open(let several):
      isSaving = false
      options["multiple"] = Variant(several)
    case .folder:
      isSaving = false
      options["directory"] = Variant(true)
    case .save(let name):
      isSaving = true
      options["current_name"] = Variant(name)
    }
    if let folder = dialog.folder { options["current_folder"] = Variant(Array(folder.utf8) + [0]) }
    if !dialog.filters.isEmpty { options["filters"] = Variant(dialog.filters) }
    if !dialog.acceptLabel.isEmpty { options["accept_label"] = Variant(dialog.acceptLabel) }
    let answer = PortalRequest.answer(
      to: isSaving ? "SaveFile" : "OpenFile", of: "FileChooser", on: bus
    ) { [options] writer throws(BusError) in
      // There is no window that the dialog could belong to.
      try "".write(to: writer)
      try dialog.title.write(to: writer)
      try options.write(to: writer)
    }
    return answer.map { answer throws(BusError) in
      switch answer {
      case .cancelled: []
      case .done(let values): try values["uris"]?.value(as: [String].self) ?? []
      }
    }
  }
}

/// The contents of a dialog of ``DesktopFileChooser``.
public struct DesktopFileDialog: Hashable, Sendable {
  /// The thing that the user chooses.
  public enum Kind: Hashable, Sendable {
    /// A file that exists, or several.
    case open(several: Bool)
    /// A folder.
    case folder
    /// A file to write, with a proposed name. The desktop asks before one that exists is chosen.
    case save(name: String)
  }

  /// A choice of files that are shown.
  public struct Filter: Hashable, Sendable {
    /// The text for the user.
    public let name: String
    /// Patterns of names, such as `*.md`.
    public let patterns: [String]

    /// Creates a filter.
    public init(_ name: String, patterns: [String]) {
      self.name = name
      self.patterns = patterns
    }
  }

  /// The title of the window.
  public var title: String
  /// The thing that the user chooses.
  public var kind: Kind
  /// The filters that the user can choose from. The first one is used first. Without filters, all files are
  /// shown.
  public var filters: [Filter] = []
  /// The path of the folder that is shown first; nil leaves it to the desktop.
  public var folder: String?
  /// The text of the button that ends the dialog. Empty leaves it to the desktop.
  public var acceptLabel = ""

  /// Creates a dialog.
  public init(_ title: String, _ kind: Kind) {
    self.title = title
    self.kind = kind
  }
}

extension DesktopFileDialog.Filter: BusStructure {
  /// The types of the members.
  public static var members: [BusType] { [String.busType, [Pattern].busType] }

  /// Writes all members.
  public func writeMembers(to writer: BusWriter) throws(BusError) {
    try name.write(to: writer)
    try patterns.map(Pattern.init).write(to: writer)
  }

  /// Reads all members.
  public init(members reader: BusReader) throws(BusError) {
    name = try String(from: reader)
    patterns = try [Pattern](from: reader).map(\.text)
  }

  /// A pattern of names, whose kind is zero on the bus.
  private struct Pattern: BusStructure {
    let text: String

    init(_ text: String) {
      self.text = text
    }

    static var members: [BusType] { [UInt32.busType, String.busType] }

    func writeMembers(to writer: BusWriter) throws(BusError) {
      try UInt32(0).write(to: writer)
      try text.write(to: writer)
    }

    init(members reader: BusReader) throws(BusError) {
      _ = try UInt32(from: reader)
      text = try String(from: reader)
    }
  }
}
