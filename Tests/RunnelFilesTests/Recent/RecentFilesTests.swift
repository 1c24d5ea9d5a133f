import Foundation
import Glibc
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct RecentFilesTests {
  private let folder = TemporaryFolder()
  private var list: String { folder["data/recently-used.xbel"] }
  private var recent: RecentFiles { RecentFiles(of: "Notes", command: "notes %f", at: list) }

  private func text() throws -> String { try SafeFile(list).contents().text }

  private func write(_ text: String) {
    folder.makeFolder("data")
    folder.write("data/recently-used.xbel", text)
  }

  /// The address of a file in the folder of the test.
  private func address(_ name: String) -> String {
    "file://\(PathBytes(folder.path).resolvedText)/\(name)"
  }

  @Test func aListIsCreated() throws {
    try recent.add(folder["a.txt"], type: "text/plain", at: .seconds(86_400))
    let time = "1970-01-02T00:00:00Z"
    #expect(
      try text() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <xbel version="1.0"
              xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
              xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">
          <bookmark href="\(address("a.txt"))" added="\(time)" modified="\(time)" visited="\(time)">
            <info>
              <metadata owner="http://freedesktop.org">
                <mime:mime-type type="text/plain"/>
                <bookmark:applications>
                  <bookmark:application name="Notes" exec="&apos;notes %f&apos;" modified="\(time)" count="1"/>
                </bookmark:applications>
              </metadata>
            </info>
          </bookmark>
        </xbel>

        """)
    #expect(folder.status("data/recently-used.xbel").st_mode & 0o777 == 0o600)
  }

  @Test func aUseChangesOnlyWhatIsOwn() throws {
    let others = """
      <?xml version="1.0"?><!-- <bookmark href="\(address("a.txt"))"/> -->
      <xbel xmlns:mime='m' version="1.0"  xmlns:bookmark="b">
      <title><![CDATA[</xbel>]]></title>
      <bookmark href='file:///other' x=">" ><info/></bookmark>
      """
    write(
      """
      \(others)<bookmark visited="1" href="\(address("a.txt"))" added="2" note='"&lt;'><title>A &amp; B</title>
      <info><metadata owner="http://freedesktop.org"><bookmark:groups><bookmark:group>g</bookmark:group>
      </bookmark:groups><bookmark:applications><bookmark:application name="gedit" exec="x" count="7"/>
      <bookmark:application count="9" name="Notes"/></bookmark:applications></metadata></info></bookmark></xbel>
      <!-- end -->
      """)
    try recent.add(folder["a.txt"], type: "text/plain", at: .zero)
    let time = "1970-01-01T00:00:00Z"
    #expect(
      try text() == """
        \(others)<bookmark href="\(address("a.txt"))" added="2" note="&quot;&lt;" modified="\(time)" \
        visited="\(time)"><title>A &amp; B</title>
        <info><metadata owner="http://freedesktop.org"><bookmark:groups><bookmark:group>g</bookmark:group>
        </bookmark:groups><bookmark:applications><bookmark:application name="gedit" exec="x" count="7"/>
        <bookmark:application name="Notes" exec="&apos;notes %f&apos;" modified="\(time)" count="10"/>\
        </bookmark:applications></metadata></info></bookmark></xbel>
        <!-- end -->
        """)
    // Another program has used the file before.
    try RecentFiles(of: "Reader", command: "r", at: list)
      .add(folder["a.txt"], type: "text/plain", at: .zero)
    #expect(
      try text().contains(
        #"count="10"/><bookmark:application name="Reader" exec="&apos;r&apos;" "#))
  }

  @Test(arguments: [
    "<xbel/>", "<?xml version='1.0'?><!DOCTYPE xbel><xbel />\n", "<xbel></xbel>",
    #"<xbel xmlns:mime="m"><bookmark href="file:///b"/></xbel>"#,
  ])
  func listsInOtherForms(_ old: String) throws {
    write(old)
    try recent.add(folder["a.txt"], type: "text/plain")
    let root = MarkupElement(document: Array(try text().utf8))
    let entry = root?.children.last
    #expect(entry?["href"] == address("a.txt"))
    #expect(entry?.descendant("bookmark:application")?["count"] == "1")
    #expect(root?["xmlns:bookmark"] != nil && root?["xmlns:mime"] != nil)
    #expect(root?.children.count == (old.contains("file:///b") ? 2 : 1))
  }

  /// An entry without the part that the specification requires is replaced.
  @Test func anIncompleteEntryIsReplaced() throws {
    write(#"<xbel><bookmark href="\#(address("a.txt"))" added="1"/></xbel>"#)
    try recent.add(folder["a.txt"], type: "text/plain")
    let root = MarkupElement(document: Array(try text().utf8))
    #expect(root?.children.count == 1)
    #expect(root?.children.first?["added"] == "1")
    #expect(root?.descendant("bookmark:application")?["name"] == "Notes")
  }

  @Test(arguments: [
    "x", "<xbel>", "<xbel><a></xbel></a>", "<xbel a></xbel>", "<xbel a='1></xbel>", "<html/>",
    "<xbel/><xbel/>", "<xbel/>x", "<xbel/><", "<!DOCTYPE xbel [<!ENTITY a 'b'>]><xbel/>",
    "<xbel a='<'/>", "</xbel>", String(repeating: "<a>", count: 40), "<xbel><!-- </xbel>",
    "\u{feff}",
  ])
  func malformedListsStay(_ old: String) throws {
    write(old)
    #expect(throws: FileError.system(EBADMSG)) {
      try recent.add(folder["a.txt"], type: "text/plain")
    }
    #expect(try text() == old)
  }

  @Test func onlyTheLatestOwnEntriesStay() throws {
    write(
      #"<xbel><bookmark href="file:///b"><bookmark:applications><bookmark:application name="X"/>"#
        + "</bookmark:applications></bookmark></xbel>")
    for number in 0..<RecentFiles.limit + 3 {
      try recent.add(folder["\(number).txt"], type: "text/plain", at: .seconds(number))
    }
    // A file that is used again is a late one.
    try recent.add(folder["3.txt"], type: "text/plain", at: .seconds(500))
    for number in 500..<502 {
      try recent.add(folder["\(number).txt"], type: "text/plain", at: .seconds(number))
    }
    let root = MarkupElement(document: Array(try text().utf8))
    let addresses = Set(root?.children.compactMap { $0["href"] } ?? [])
    #expect(addresses.count == RecentFiles.limit + 1)
    for name in ["3.txt", "6.txt", "102.txt", "501.txt"] {
      #expect(addresses.contains(address(name)))
    }
    #expect(addresses.contains("file:///b"))
    #expect(addresses.isDisjoint(with: ["0.txt", "2.txt", "4.txt", "5.txt"].map(address)))
  }

  @Test func unusableFilesAreErrors() throws {
    #expect(throws: FileError.unusableName("a\0")) { try recent.add("a\0", type: "") }
    #expect(throws: FileError.unusableName("/")) { try recent.add("/", type: "") }
    #expect(throws: FileError.self) { try recent.add(folder["none/a"], type: "") }
    #expect(access(list, F_OK) != 0)
  }

  /// GLib, which GTK uses for its lists, reads what this program has written, and the other way round.
  @Test func listsAreThoseOfGLib() async throws {
    folder.makeFolder("data")
    let name = "Müsli & \"Milk\" <1>'; 100 %.txt"
    let path = "\(PathBytes(folder.path).resolvedText)/\(name)"
    let notes = RecentFiles(of: "Notes & <\"Co\">", command: "notes 'a b' %f", at: list)
    try notes.add(path, type: "text/plain")
    let first = "Notes & <\"Co\"> 1 notes 'a b' \(path)"
    #expect(await linesOfGLib(path) == [first, "text/plain"])
    // GLib has written the list since.
    try notes.add(path, type: "text/plain")
    #expect(
      await linesOfGLib(path) == [
        first.replacing("> 1 ", with: "> 2 "), "gedit 1 edit \(path)", "text/plain",
      ])
  }

  /// Adds the program `gedit` to the entry of a file, and returns the type and the programs that it had.
  private func linesOfGLib(_ path: String) async -> [String] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Support/bookmarks.py").path()
    return await withProcess(["/usr/bin/python3", script, list, path, "gedit"]) { process in
      var lines: [String] = []
      while let line = process.readLine() { lines.append(line) }
      return lines.sorted()
    }
  }

  @Test func randomBytesLeaveTheListWellFormed() throws {
    try recent.add(folder["a.txt"], type: "text/plain")
    let valid = try SafeFile(list).contents().bytes
    let use = RecentList.Use(
      address: "file:///b", type: "text/plain", program: "Notes", command: "n", time: "t")
    for seed in seeds(2_000 as UInt64) {
      var random = SeededGenerator(seed: seed)
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = Array("<>/='\"&! \n-?".utf8).randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: valid.dropFirst(index).prefix(20), at: index)
        }
      }
      guard let changed = RecentList(bytes)?.adding(use, limit: 3) else { continue }
      let isWellFormed = MarkupElement(document: changed) != nil
      #expect(isWellFormed, "seed \(seed)")
      if !isWellFormed { break }
    }
  }
}

extension PathBytes {
  /// The path without links, as text.
  fileprivate var resolvedText: String { (try? resolved.get())?.text ?? "" }
}
