import RunnelLoop
import RunnelStreams

/// A process that kills process groups when this process has ended, in whatever way.
///
/// It is a shell that reads from a pipe until the pipe has no writer any more. Each line adds or removes
/// a group. It has its own group, so that signals of the terminal do not reach it.
final class ParentGuard {
  private static let script = """
    trap '' HUP INT QUIT TERM
    groups=' '
    while read -r change group; do
      case $change in
      add) groups="$groups$group " ;;
      remove)
        left=' '
        for each in $groups; do [ "$each" = "$group" ] || left="$left$each "; done
        groups=$left
        ;;
      esac
    done
    for each in $groups; do kill -s KILL -- "-$each"; done
    """

  private let loop: EventLoop
  private var groups: Set<Int32> = []
  private(set) var process: ChildProcess?
  private var observation = Disposable()

  init(on loop: EventLoop) {
    self.loop = loop
  }

  deinit { observation.dispose() }

  func add(_ group: Int32) {
    groups.insert(group)
    if process == nil { start() } else { write("add \(group)\n") }
  }

  func remove(_ group: Int32) {
    groups.remove(group)
    write("remove \(group)\n")
  }

  /// Starts the guard. It is also started again if something has killed it.
  private func start() {
    do throws(ProcessError) {
      let process = try ChildProcess("/bin/sh", ["-c", Self.script], on: loop) { options in
        options.input = .piped
        options.output = .discarded
        options.errors = .discarded
        options.hasOwnGroup = true
        options.environment = [:]
      }
      self.process = process
      observation = process.exit.observeNext(weak: self) { guardian, _ in
        guardian.process = nil
        if !guardian.groups.isEmpty { guardian.start() }
      }
      for group in groups { write("add \(group)\n") }
    } catch {
      Log("runnel.supervisor").error(
        "Children would outlive this process, because their guard could not be started.",
        ["error": "\(error)"])
    }
  }

  private func write(_ line: String) {
    _ = process?.standardInput.write(line)
  }
}
