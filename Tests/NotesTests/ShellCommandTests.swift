import Foundation
import Glibc
import Testing

@testable import Notes

/// The commands of the shell on one note, and what they write.
@Suite struct ShellCommandTests {
  private typealias Outcome = Program.Outcome

  private func ok(_ output: String) -> Outcome { Outcome(status: 0, output: output, errors: "") }

  @discardableResult
  private func notes(
    _ arguments: String..., input: String = "", home: String
  ) async throws -> Outcome {
    try await Program.run(
      arguments, input: input,
      environment: ["HOME": home, "XDG_DATA_HOME": "\(home)/data", "EDITOR": "sh \(home)/edit"])
  }

  @Test func notesAreAppendedRenamedEditedAndRemoved() async throws {
    try await Program.withHome { home in
      #expect(try await notes("append", "Log", "one", home: home) == ok(""))
      #expect(try await notes("append", "log", input: "two", home: home) == ok(""))
      #expect(try await notes("append", "LOG.TXT", "three", home: home) == ok(""))
      #expect(try await notes("show", "lóg", home: home) == ok("one\ntwo\nthree\n"))
      let settings = "\(home)/Notes/.notes-settings"
      try "pinned = Log.txt\nlast = Log.txt\n".write(
        toFile: settings, atomically: true, encoding: .utf8)
      #expect(try await notes("mv", "log", "Diary.md", home: home) == ok(""))
      let kept = try String(contentsOfFile: settings, encoding: .utf8)
      #expect(kept.contains("pinned = Diary.md\n") && kept.contains("last = Diary.md\n"))
      try await notes("new", "Tea", "green", home: home)
      #expect(try await notes("mv", "Tea", "Diary.md", home: home).status == 3)
      try "echo edited >> \"$1\"".write(
        toFile: "\(home)/edit", atomically: true, encoding: .utf8)
      #expect(try await notes("edit", "tea", home: home) == ok(""))
      #expect(try await notes("show", "Tea", home: home) == ok("green\nedited\n"))
      #expect(try await notes("edit", "New", home: home) == ok(""))
      #expect(try await notes("rm", "tea", home: home) == ok(""))
      #expect(try await notes("list", home: home).output.split(separator: "\n").count == 2)
      let trash = try FileManager.default.contentsOfDirectory(atPath: "\(home)/data/Trash/files")
      #expect(trash == ["Tea.txt"])
      for command in ["show", "rm"] {
        let outcome = try await notes(command, "diar", home: home)
        let message = "notes: There is no note called diar. Did you mean Diary?\n"
        #expect(outcome == Outcome(status: 1, output: "", errors: message))
      }
    }
  }

  @Test func searchWritesLines() async throws {
    try await Program.withHome { home in
      try await notes("new", "Milk", "buy milk\nand bread\nMILK again", home: home)
      try await notes("new", "Tea", "milk?", home: home)
      let all = try await notes("search", "milk", "--lines", home: home).output
      #expect(all.contains("Milk:1: buy milk\nMilk:3: MILK again\n"))
      #expect(all.contains("Tea:1: milk?\n"))
      let one = try await notes("search", "-n", "milk", "--in", "tea", home: home)
      #expect(one == ok("Tea:1: milk?\n"))
      let json = try await notes("search", "-n", "--json", "bread", home: home)
      #expect(json == ok("[{\"title\": \"Milk\", \"line\": 2, \"text\": \"and bread\"}]\n"))
      let none = try await notes("search", "x", home: home)
      #expect(none == Outcome(status: 1, output: "", errors: "notes: No note contains x.\n"))
    }
  }

  /// The names of the files that a program opens in a folder.
  private func opened(in folder: String, _ body: () async throws -> Void) async throws -> Set<
    String
  > {
    let watch = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(watch) }
    #expect(inotify_add_watch(watch, folder, UInt32(IN_OPEN)) >= 0)
    try await body()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(watch, &bytes, bytes.count)
    var names: Set<String> = []
    var start = 0
    // An event is a header of 16 bytes, which ends with the length of the name, and the name.
    while start + 16 <= count {
      let length = bytes[start + 12..<start + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[start + 16..<start + 16 + length].prefix { $0 != 0 }
      names.insert(String(decoding: name, as: UTF8.self))
      start += 16 + length
    }
    return names
  }

  @Test(arguments: [
    ["show", "b"], ["show", "B.txt", "--json"], ["search", "x", "--in", "b"], ["append", "b", "x"],
    ["rm", "b"],
  ])
  func commandOpensOnlyItsNote(_ arguments: [String]) async throws {
    try await Program.withHome { home in
      for title in ["a", "b", "c", "d"] { try await notes("new", title, "x", home: home) }
      let names = try await opened(in: "\(home)/Notes") {
        let outcome = try await Program.run(
          arguments, environment: ["HOME": home, "XDG_DATA_HOME": "\(home)/data"])
        #expect(outcome.status == 0)
      }
      #expect(names.isDisjoint(with: ["a.txt", "c.txt", "d.txt"]), "\(names)")
    }
  }

  @Test func bashCompletesCommandsAndTitles() async throws {
    try await Program.withHome { home in
      for title in ["Milk", "Milky Way", "Tea"] { try await notes("new", title, "x", home: home) }
      let folder = Program.path.dropLast("/notes".count)
      func completions(_ words: String) async throws -> String {
        let script = """
          PATH="\(folder):$PATH"; source <(notes completions bash)
          COMP_WORDS=(notes \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _notes
          printf '%s\\n' "${COMPREPLY[@]}" | sort
          """
        return try await Program.run(
          ["-c", script], of: "/bin/bash", environment: ["HOME": home, "PATH": "/usr/bin:/bin"]
        ).output
      }
      try await notes("new", "Elsewhere", "x", "-f", "\(home)/other folder", home: home)
      #expect(try await completions("show mil") == "Milk\nMilky Way\n")
      #expect(try await completions("show Milky\\\\\\ w") == "Milky Way\n")
      #expect(try await completions("show \\\"Milky\\ w") == "Milky Way\n")
      #expect(try await completions("-f \(home)/other\\\\\\ folder show ''") == "Elsewhere\n")
      #expect(try await completions("rm --folder '~/other folder' E") == "Elsewhere\n")
      #expect(try await completions("mv -f '\(home)/other folder' el") == "Elsewhere\n")
      #expect(try await completions("-f '\(home)/other folder' sh") == "show\n")
      #expect(try await completions("m") == "man\nmv\n")
      #expect(try await completions("search x --in T") == "Tea\n")
      #expect(try await completions("mv Milk T") == "\n")
      #expect(try await completions("show -f x Milk T") == "\n")
      #expect(try await completions("completions z") == "zsh\n")
      try await addTemplate(home)
      #expect(try await completions("new Monday --template D") == "Daily plan\n")
      #expect(try await completions("new Monday --template M") == "\n")
    }
  }

  private func addTemplate(_ home: String) async throws {
    try FileManager.default.createDirectory(
      atPath: "\(home)/Notes/templates", withIntermediateDirectories: true)
    try "# {{title}}\n".write(
      toFile: "\(home)/Notes/templates/Daily plan.md", atomically: true, encoding: .utf8)
  }

  /// Fish evaluates the script for a command line as it is typed.
  @Test func fishCompletesTitles() async throws {
    try await Program.withHome { home in
      for title in ["Milk", "Milky Way", "Tea"] { try await notes("new", title, "x", home: home) }
      try await addTemplate(home)
      let folder = Program.path.dropLast("/notes".count)
      func completions(_ line: String) async throws -> [String] {
        let script = """
          set -x PATH \(folder) $PATH; notes completions fish | source; complete -C "\(line)"
          """
        return try await Program.run(
          ["--no-config", "-c", script], of: "/usr/bin/fish",
          environment: ["HOME": home, "PATH": "/usr/bin:/bin"]
        ).output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      }
      #expect(try await completions("notes show Mil") == ["Milk", "Milky Way"])
      #expect(try await completions("notes search x --in T") == ["Tea"])
      #expect(try await completions("notes new x --template D") == ["Daily plan"])
      #expect(try await completions("notes completions z") == ["zsh"])
      #expect(try await completions("notes show --folder \(home)/Notes Te") == ["Tea"])
      #expect(try await completions("notes mv Milk --js") == [])
      #expect(try await completions("notes list --js") == ["--json"])
    }
  }

  /// The completion system of zsh runs in an interactive shell with a terminal, as for a user. The
  /// builtin `compadd` selects the matches; a function around it records them in a file.
  @Test func zshCompletesTitles() async throws {
    try await Program.withHome { home in
      for title in ["Milk", "Milky Way", "Tea"] { try await notes("new", title, "x", home: home) }
      try await notes("new", "Elsewhere", "x", "-f", "\(home)/other folder", home: home)
      try await addTemplate(home)
      let expected: KeyValuePairs = [
        "notes show ": ["Milk", "Milky Way", "Tea", "templates/Daily plan"],
        "notes show mil": ["Milk", "Milky Way"],
        "notes show MIL": [],
        "notes edit Milky\\ W": ["Milky Way"],
        "notes search x --in T": ["Tea"],
        "notes new x --template ": ["Daily plan"],
        "notes new x --template M": [],
        "notes rm --folder ~/other\\ folder ": ["Elsewhere"],
        "notes mv -f '\(home)/other folder' el": ["Elsewhere"],
        "notes mv Milk ": [],
        "notes s": ["search", "show"],
        "notes completions ": ["bash", "fish", "zsh"],
        "notes completions z": ["zsh"],
        "notes list --j": ["--json"],
      ]
      let found = try await zshCompletions(of: expected.map(\.key), home: home)
      #expect(found.count == expected.count)
      for (line, found) in zip(expected, found) { #expect(found == line.value, "\(line.key)") }
    }
  }

  /// Types lines into an interactive zsh, each with a tabulator at its end, and returns the sorted
  /// completions of each line.
  private func zshCompletions(of lines: [String], home: String) async throws -> [[String]] {
    let settings = """
      path=('\(Program.path.dropLast("/notes".count))' $path)
      autoload -Uz compinit; compinit -D -u
      source <(notes completions zsh)
      compadd() {
        local -a matches
        builtin compadd -O matches "$@"
        all+=("$matches[@]")
        builtin compadd "$@"
      }
      zle -C complete-all complete-word _main_complete
      ask() {
        local -a all
        zle complete-all
        print -l -- "$all[@]" '[end]' >> ~/found
        print '[end]'
        BUFFER=
      }
      zle -N ask; bindkey '^I' ask
      """
    try settings.write(toFile: "\(home)/.zshrc", atomically: true, encoding: .utf8)
    let script = """
      zmodload zsh/zpty; zpty shell zsh -d -i
      for line; do zpty -wn shell "$line"$'\t'; zpty -r shell text '*\\[end\\]*'; done
      """
    let outcome = try await Program.run(
      ["60", "zsh", "-f", "-c", script, "zsh"] + lines, of: "/usr/bin/timeout",
      environment: ["HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm"])
    #expect(outcome == ok(""))
    return try String(contentsOfFile: "\(home)/found", encoding: .utf8)
      .components(separatedBy: "[end]\n").dropLast()
      .map { $0.split(separator: "\n").map(String.init).sorted() }
  }

  /// The three scripts know the same commands.
  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsNameAllCommands(_ shell: String) async throws {
    let script = try await Program.run(["completions", shell], environment: [:]).output
    #expect(script.contains("list show new edit append rm mv search open completions man"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shellParsesItsCompletions(_ shell: String) async throws {
    let paths = ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell)" }
    let path = try #require(paths.first(where: FileManager.default.isExecutableFile))
    try await Program.withHome { home in
      let script = try await notes("completions", shell, home: home).output
      try script.write(toFile: "\(home)/script", atomically: true, encoding: .utf8)
      let outcome = try await Program.run(
        ["-n", "\(home)/script"], of: path, environment: ["HOME": home])
      #expect(outcome == ok(""))
    }
  }

  @Test func severalNotesWithOneTitleAreListed() async throws {
    try await Program.withHome { home in
      for name in ["Milk", "Milk.md", "milk.markdown"] {
        try await notes("new", name, "x", home: home)
      }
      let list = "\n  Milk.md\n  Milk.txt\n"
      let message = "notes: Several notes are called Milk. Write the file name:" + list
      for arguments in [["rm", "Milk"], ["mv", "Milk", "Tea"], ["append", "Milk", "more"]] {
        let outcome = try await Program.run(
          arguments, environment: ["HOME": home, "XDG_DATA_HOME": "\(home)/data"])
        #expect(outcome == Outcome(status: 1, output: "", errors: message))
      }
      let folded = try await notes("rm", "MILK", home: home)
      #expect(folded.status == 1 && folded.errors.hasSuffix("  milk.markdown\n"), "\(folded)")
      #expect(try await notes("rm", "Milk.md", home: home) == ok(""))
      #expect(try await notes("rm", "Milk", home: home) == ok(""))
      #expect(try await notes("rm", "MILK", home: home) == ok(""))
      #expect(try await notes("list", home: home).output == "")
    }
  }

  @Test func titleMayNameAnExistingSubfolder() async throws {
    try await Program.withHome { home in
      try await addTemplate(home)
      #expect(try await notes("new", "templates/List", "x", home: home) == ok(""))
      #expect(try await notes("append", "templates/Plan.md", "y", home: home) == ok(""))
      #expect(try await notes("new", "other/List", "- milk", home: home) == ok(""))
      #expect(try await notes("mv", "other-List", "templates/Moved", home: home) == ok(""))
      try FileManager.default.createDirectory(
        atPath: "\(home)/Notes/empty", withIntermediateDirectories: true)
      #expect(try await notes("new", "empty/First", "x", home: home) == ok(""))
      #expect(try await notes("show", "empty/First", home: home) == ok("x\n"))
      #expect(try await notes("new", "empty/../../Out", "x", home: home) == ok(""))
      #expect(try await notes("show", "empty-..-..-Out", home: home) == ok("x\n"))
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(home)/Notes/templates")
      #expect(files.sorted() == ["Daily plan.md", "List.txt", "Moved.txt", "Plan.md"])
      #expect(try await notes("show", "templates/Moved", home: home) == ok("- milk\n"))
    }
  }

  @Test func searchNeedsWord() async throws {
    try await Program.withHome { home in
      try await notes("new", "a", "#home", home: home)
      for text in ["", "\"", "tag:", "tag:#"] {
        #expect(try await notes("search", text, home: home).status == 2, "\(text)")
      }
      #expect(try await notes("search", "tag:#home", home: home) == ok("a\n"))
    }
  }

  @Test func newNoteBeginsWithTemplate() async throws {
    try await Program.withHome { home in
      try await addTemplate(home)
      #expect(
        try await notes("new", " Monday.md", "--template", "Daily plan", home: home) == ok(""))
      #expect(try await notes("show", "Monday.md", home: home) == ok("# Monday\n"))
      let other = try await notes("new", "Tuesday", "--template", "Daily p", home: home)
      let message =
        "notes: There is no note called templates/Daily p. Did you mean templates/Daily plan?\n"
      #expect(other == Outcome(status: 1, output: "", errors: message))
      #expect(try await notes("show", "Tuesday", home: home).status == 1)
    }
  }

  @Test func notesInSubfoldersHaveTheirPathAsTitle() async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/Notes/work", withIntermediateDirectories: true)
      for path in ["Plan.txt", "work/Plan.md", "work/Idea.txt"] {
        try path.write(toFile: "\(home)/Notes/\(path)", atomically: true, encoding: .utf8)
      }
      let list = try await notes("list", home: home).output.split(separator: "\n").sorted()
      #expect(list == ["Plan", "work/Idea", "work/Plan"])
      #expect(try await notes("show", "work/Plan", home: home) == ok("work/Plan.md"))
      #expect(try await notes("show", "idea", home: home) == ok("work/Idea.txt"))
      #expect(try await notes("show", "Plan", home: home) == ok("Plan.txt"))
      #expect(try await notes("show", "PLAN", home: home) == ok("Plan.txt"))
      #expect(try await notes("append", "WORK/idea", "more", home: home) == ok(""))
      #expect(try await notes("mv", "Idea", "Old", home: home) == ok(""))
      #expect(try await notes("show", "work/Old.txt", home: home) == ok("work/Idea.txt\nmore\n"))
      #expect(try await notes("search", "more", home: home) == ok("work/Old\n"))
      let json = try await notes("search", "more", "--json", home: home).output
      #expect(json.contains("\"title\": \"Old\", \"file\": \"work/Old.txt\""))
    }
  }

  @Test func appendKeepsLimitOfNote() async throws {
    try await Program.withHome { home in
      let text = String(repeating: "x", count: 9_999_990)
      try await notes("new", "Big", input: text, home: home)
      #expect(try await notes("append", "Big", "12345678", home: home) == ok(""))
      let outcome = try await notes("append", "Big", "9", home: home)
      #expect(outcome.status == 3 && outcome.errors.contains("is larger than 10 MB"), "\(outcome)")
      #expect(try await notes("show", "Big", home: home).output.utf8.count == 10_000_000)
    }
  }

  @Test(arguments: ["append", "rm", "mv", "edit", "man", "completions"])
  func jsonIsRefusedWhereItHasNoEffect(_ command: String) async throws {
    try await Program.withHome { home in
      let arguments =
        [command]
        + ["mv": ["a", "b"], "man": [], "completions": ["bash"]][command, default: ["a"]]
      let outcome = try await Program.run(arguments + ["--json"], environment: ["HOME": home])
      let message = "notes: Use --json with list, show, new and search. Try notes --help.\n"
      #expect(outcome == Outcome(status: 2, output: "", errors: message))
    }
  }

  /// The manual shows the text of the help, character for character.
  @Test func manualPageShowsTextOfHelp() async throws {
    let page = try await Program.run(["man"], environment: [:]).output
    let help = try await Program.run(["--help"], environment: [:]).output
    var shown = page
    for (escape, text) in [
      ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(dq", "\""), ("\\(ti", "~"),
      ("\\(ha", "^"),
    ] {
      shown = shown.replacing(escape, with: text)
    }
    let lines = shown.split(separator: "\n").filter { ![".nf", ".TH NOTES 1"].contains($0) }
      .map { $0.hasPrefix(".SH ") ? String($0.dropFirst(4)) : "  \($0)" }
    #expect(lines.filter { $0 != "  " } == help.split(separator: "\n").map(String.init))
    // Nothing else is left that man would replace or interpret.
    #expect(!shown.contains("\\") && page.contains("\\(ti/Notes"))
  }

  @Test func manualPageHasSectionsOfHelp() async throws {
    let page = try await Program.run(["man"], environment: [:]).output
    let help = try await Program.run(["--help"], environment: [:]).output
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }
    #expect(page.hasPrefix(".TH NOTES 1\n.SH NAME\n.nf\n\\&notes \\- "))
    #expect(sections.count == help.split(separator: "\n").count { $0.first != " " })
  }
}
