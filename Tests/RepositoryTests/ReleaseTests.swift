import Foundation
import Testing

@testable import ExampleFiles

/// `Scripts/release` in a repository of its own, whose checks are a line.
@Suite struct ReleaseTests {
  private final class Repository {
    let folder = FileManager.default.temporaryDirectory.appending(path: "release-\(UUID())")

    init() throws {
      let script = PackageFiles.root.appending(path: "Scripts/release")
      for name in ["Scripts", ".ci", "Documentation/API"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(at: script, to: folder.appending(path: "Scripts/release"))
      try write(".ci/run", "exit 0")
      try write("Documentation/API/A.txt", "func a()\nfunc b()\n")
      try write("CHANGELOG.md", "# Changes\n\n## 0.1.0 – 2026-01-02\n\n### Added\n\n- All.\n")
      try git("init -q -b main")
      try commit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }

    @discardableResult
    func git(_ arguments: String) throws -> String {
      let name = "-c user.name=A -c user.email=a@example.com"
      let (status, output) = try runShell("cd '\(folder.path())' && git \(name) \(arguments) 2>&1")
      try #require(status == 0, "\(arguments): \(output)")
      return output
    }

    func commit() throws {
      try git("add -A && git -c user.name=A -c user.email=a@example.com commit -qm A")
    }

    func release(_ arguments: String) throws -> (status: Int32, output: String) {
      // By its interpreter: a copy may not be executed while a child of another test has it open for writing, which
      // that child inherits until it executes its program.
      try runShell(
        """
        cd '\(folder.path())' && GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com \
        /usr/bin/env python3 Scripts/release \(arguments) 2>&1
        """)
    }
  }

  @Test func theTagHasTheSectionOfTheVersion() throws {
    let repository = try Repository()
    let check = try repository.release("--check 0.1.0")
    #expect(check.status == 0 && check.output == "0.1.0 can be released.\n")
    #expect(try repository.git("tag") == "")
    let release = try repository.release("0.1.0")
    #expect(release.status == 0, "\(release.output)")
    #expect(
      try repository.git("tag -l --format='%(contents)' v0.1.0")
        .contains("Runnel 0.1.0\n\n### Added\n\n- All.\n"))
    let again = try repository.release("0.1.0")
    #expect(again.status != 0 && again.output.contains("0.1.0 is not above 0.1.0"))
  }

  @Test func unreadyVersionIsRefusedWithTheReason() throws {
    let repository = try Repository()
    try repository.write(".ci/run", "exit 1")
    try repository.commit()
    let red = try repository.release("0.1.0")
    #expect(red.status != 0 && red.output.contains(".ci/run fails"))
    try repository.write("CHANGELOG.md", "# Changes\n\n## 0.1.0 – unreleased\n\n- All.\n")
    let open = try repository.release("0.1.0")
    #expect(open.status != 0)
    #expect(open.output.contains("is \"0.1.0 – unreleased\""))
    #expect(open.output.contains("not committed"))
    try repository.git("checkout -q -- . && git checkout -q -b other")
    #expect(try repository.release("0.1.0").output.contains("not on other"))
    #expect(try repository.release("1").output.contains("Usage"))
    #expect(try repository.git("tag") == "")
  }

  @Test func theVersionFollowsFromTheDeclarations() throws {
    let repository = try Repository()
    func output(_ version: String, _ declarations: String) throws -> String {
      try repository.write("Documentation/API/A.txt", declarations)
      try repository.write("CHANGELOG.md", "# Changes\n\n## \(version) – 2026-01-03\n\n- More.\n")
      try repository.commit()
      return try repository.release("--check \(version)").output
    }
    try repository.git("tag v0.1.0")
    let same = try output("0.1.1", "func a()\nfunc b()\n")
    #expect(same == "0.1.1 can be released.\n")
    let more = try output("0.1.1", "func a()\nfunc b()\nfunc c()\n")
    #expect(more.contains("at least 0.2.0.\n  A func c()"))
    let other = try output("0.2.0", "func a()\nfunc c()\n")
    #expect(other == "0.2.0 can be released.\n")
    try repository.git("tag v1.9.0")
    let less = try output("1.10.0", "func a()\n")
    #expect(less.contains("at least 2.0.0.\n  A func c()"))
    let major = try output("2.0.0", "func a()\n")
    #expect(major == "2.0.0 can be released.\n")
  }

  @Test func theChangelogHasTheVersionThatTheDeclarationsNeed() throws {
    let repository = try Repository()
    #expect(try repository.release("--api") == (0, "There is no version yet.\n"))
    try repository.git("tag v0.1.0")
    #expect(try repository.release("--api") == (0, ""))
    try repository.write("Documentation/API/A.txt", "func a()\n")
    try repository.commit()
    let old = try repository.release("--api")
    #expect(old.status != 0 && old.output.contains("at least 0.2.0.\n  A func b()"))
    try repository.write("CHANGELOG.md", "# Changes\n\n## 0.2.0 – unreleased\n\n- Less.\n")
    #expect(try repository.release("--api") == (0, ""))
    try repository.write("CHANGELOG.md", "# Changes\n")
    #expect(try repository.release("--api").output.contains("has no version"))
  }
}
