import RunnelLoop
import RunnelStreams

/// A process that kills process groups when this process has ended, in whatever way.
///
/// It is a shell that reads from a pipe until the pipe has no writer any more. Each line adds or removes
/// a group. It has its own group, so that signals of the terminal do not reach it.
final class Guardian {
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
  private static let log = Log("runnel.supervisor")

  private let loop: EventLoop
  private var groups: Set<Int32> = []
  private(set) var process: ChildProcess?
  private let observations = DisposeBag()
  private let timer: RestartableTimer
  private var delays = Backoff(initial: .milliseconds(100), maximum: .seconds(30)).delays()
  private var isClosed = false

  init(on loop: EventLoop) {
    self.loop = loop
    timer = RestartableTimer(on: loop)
    let timer = timer
    observations.add(Disposable { timer.tearDown() })
  }

  /// Starts the process, unless it runs.
  func start() {
    guard process == nil, !isClosed else { return }
    timer.cancel()
    do throws(ProcessError) {
      let process = try ChildProcess("/bin/sh", ["-c", Self.script], on: loop) { options in
        options.input = .piped
        options.output = .discarded
        options.errors = .discarded
        options.group = .own
        options.environment = [:]
      }
      self.process = process
      process.exit.observeNext(weak: self) { guardian, status in
        guardian.process = nil
        guardian.tryAgain(because: "\(status)")
      }.disposed(by: observations)
      for group in groups { write("add \(group)\n") }
    } catch {
      tryAgain(because: "\(error)")
    }
  }

  func add(_ group: Int32) {
    groups.insert(group)
    if process == nil { start() } else { write("add \(group)\n") }
  }

  func remove(_ group: Int32) {
    groups.remove(group)
    write("remove \(group)\n")
  }

  /// Lets the process kill the groups, and end.
  func close() {
    isClosed = true
    timer.cancel()
    process?.standardInput.finish()
  }

  private func tryAgain(because reason: String) {
    if isClosed || groups.isEmpty { return }
    Self.log.error(
      "Children would outlive this process, because the shell that watches it has ended.",
      ["reason": reason])
    timer.set(after: delays.next() ?? .zero) { [weak self] in self?.start() }
  }

  /// Writes at once: this process may be killed before the turn ends.
  private func write(_ line: String) {
    guard let input = process?.standardInput else { return }
    _ = input.write(line)
    input.flush()
  }
}
