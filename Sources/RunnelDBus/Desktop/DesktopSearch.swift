import RunnelStreams

/// Finds things of this program for the search of the desktop. Serve it with
/// ``BusConnection/export(_:at:)``.
///
/// GNOME Shell asks programs that have a file in `/usr/share/gnome-shell/search-providers`:
///
/// ```text
/// [Shell Search Provider]
/// DesktopId=org.example.Notes.desktop
/// BusName=org.example.Notes
/// ObjectPath=/org/example/Notes/Search
/// Version=2
/// ```
public protocol DesktopSearchProvider: AnyObject {
  /// The identifiers of the things that match all words, best first. The single is disposed when the user
  /// closes the search.
  ///
  /// If the user has added to the words of an earlier search, `earlier` has its results, outside of which
  /// nothing needs to be searched.
  func results(for words: [String], among earlier: [String]?) -> Single<[String], BusError>

  /// The thing with an identifier; nil if it does not exist any more.
  func result(_ identifier: String) -> DesktopSearchResult?

  /// Shows a thing in the window of the program. The words are what the user has typed.
  func open(_ identifier: String, for words: [String])

  /// Shows all results in the window of the program.
  func openSearch(for words: [String])
}

/// A thing that the search of the desktop shows.
public struct DesktopSearchResult: Hashable, Sendable {
  /// The title.
  public var title: String
  /// The text below the title. It may be empty.
  public var text: String
  /// The name of an icon in the theme. It may be empty.
  public var icon: String

  /// Creates a result.
  public init(_ title: String, text: String = "", icon: String = "") {
    self.title = title
    self.text = text
    self.icon = icon
  }

  fileprivate func values(_ identifier: String) -> [String: Variant] {
    var values = ["id": Variant(identifier), "name": Variant(title)]
    if !text.isEmpty { values["description"] = Variant(text) }
    if !icon.isEmpty { values["gicon"] = Variant(icon) }
    return values
  }
}

extension BusConnection {
  /// Serves the search of the desktop until the result is disposed. The provider is retained.
  @discardableResult
  public func export(_ provider: any DesktopSearchProvider, at path: ObjectPath) -> Disposable {
    var interface = BusInterface("org.gnome.Shell.SearchProvider2")
    interface.method(
      "GetInitialResultSet", "terms", returning: "results",
      later: { (words: [String]) throws(BusError) in provider.results(for: words, among: nil) })
    interface.method(
      "GetSubsearchResultSet", "previous_results", "terms", returning: "results",
      later: { (earlier: [String], words: [String]) throws(BusError) in
        provider.results(for: words, among: earlier)
      })
    interface.method("GetResultMetas", "identifiers", returning: "metas") {
      (identifiers: [String]) throws(BusError) in
      identifiers.compactMap { provider.result($0)?.values($0) }
    }
    // The time of the user's click is for X11.
    interface.method("ActivateResult", "identifier", "terms", "timestamp") {
      (identifier: String, words: [String], _: UInt32) throws(BusError) in
      provider.open(identifier, for: words)
    }
    interface.method("LaunchSearch", "terms", "timestamp") {
      (words: [String], _: UInt32) throws(BusError) in provider.openSearch(for: words)
    }
    return export(interface, at: path)
  }
}
