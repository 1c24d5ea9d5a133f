import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ShellCommandTests {
  private func output(
    of command: ShellCommand, _ environment: [String: String]
  ) async -> String? {
    let log = EventLog<String>()
    await withLoop { loop in
      loop.wait {
        _ = loop.output(of: "/bin/sh", command.arguments) {
          $0.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        }.observe(succeeded: { log.add($0.text) }, failed: { log.add("\($0)") })
      }
      log.wait(for: 1)
    }
    return log.wait(for: 1).first
  }

  @Test(arguments: [
    "a.txt", "two words.txt", "$HOME", "`date`", "'\"", "-n", "; exit 1", "a\nb",
  ])
  func argumentIsPassedWithoutExpansion(_ path: String) async {
    let editor = ["EDITOR": "printf '<%s>' 'with space'"]
    #expect(await output(of: .edit(path), editor) == "<with space><\(path)>")
    #expect(await output(of: .open(path), ["BROWSER": "printf [%s]"]) == "[\(path)]")
    #expect(await output(of: ShellCommand("printf '%s' \"$1\"", path), [:]) == path)
  }

  @Test func visualPrecedesEditor() async {
    let names = ["VISUAL": "echo visual", "EDITOR": "echo editor"]
    #expect(await output(of: .edit("x"), names) == "visual x\n")
  }

  @Test func startedCommandSendsItsStatus() async {
    let log = EventLog<ProcessStatus>()
    await withLoop { loop in
      loop.wait {
        let process = try? ShellCommand("exit \"$1\"", "3").start(on: loop)
        process?.exit.observeNext { log.add($0) }
      }
      #expect(log.wait(for: 1) == [.exited(3)])
    }
  }
}
