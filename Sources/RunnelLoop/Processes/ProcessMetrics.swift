import Glibc
import RunnelStreams

extension Metrics {
  /// Adds numbers about this process, with the names that Prometheus recommends
  /// (`process_resident_memory_bytes`, `process_cpu_seconds_total`, `process_open_fds`,
  /// `process_max_fds`, `process_start_time_seconds`), and numbers of Runnel: the running children
  /// (`runnel_children`), and what was dropped by crossings (`runnel_dropped_elements_total`) and by
  /// the log (`runnel_dropped_log_lines_total`).
  public func addProcess() {
    gauge("process_resident_memory_bytes", "Resident memory.") { ProcessNumbers.residentBytes }
    counter("process_cpu_seconds_total", "CPU time of the user and the system.") {
      ProcessNumbers.seconds(of: CLOCK_PROCESS_CPUTIME_ID)
    }
    gauge("process_open_fds", "Open descriptors.") { ProcessNumbers.descriptorCount }
    gauge("process_max_fds", "The largest number of open descriptors.") {
      ProcessNumbers.descriptorLimit
    }
    let startTime = ProcessNumbers.startTime
    gauge("process_start_time_seconds", "Start of the process, since 1 January 1970.") { startTime }
    gauge("runnel_children", "Running child processes.") { Double(ProcessWatch.runningCount) }
    counter("runnel_dropped_elements_total", "Elements that were dropped at crossings.") {
      Double(Backlog.droppedTotal)
    }
    counter("runnel_dropped_log_lines_total", "Lines of the log that were dropped.") {
      Double(Log.droppedCount)
    }
  }
}

/// Numbers that the system knows of this process.
package enum ProcessNumbers {
  static var residentBytes: Double {
    let pages = text(of: "/proc/self/statm").split(separator: " ").dropFirst().first
    return (pages.flatMap { Double($0) } ?? .nan) * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  static var descriptorCount: Double {
    // Since Linux 6.2, the size is the number, also where no descriptor is left to read the folder.
    var status = stat()
    if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Double(status.st_size) }
    guard let folder = opendir("/proc/self/fd") else { return .nan }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The entries "." and "..", and the descriptor of the folder.
    return Double(count - 3)
  }

  static var descriptorLimit: Double {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Double(limit.rlim_cur)
  }

  /// The start of the process in seconds since 1 January 1970.
  static var startTime: Double {
    let fields = fields(of: "self")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return .nan }
    let sinceBoot = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    return seconds(of: CLOCK_REALTIME) - seconds(of: CLOCK_BOOTTIME) + sinceBoot
  }

  static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The fields of a process's `stat` file from its state on; empty if there is no such process.
  package static func fields(of process: String) -> [Substring] {
    // The name of the program, in parentheses, may contain spaces. The state is the next field.
    text(of: "/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
  }

  /// Returns true if the process with these fields exists, and is not a zombie.
  package static func runs(_ fields: [Substring]) -> Bool {
    guard let state = fields.first else { return false }
    return state != "Z" && state != "X"
  }

  /// The text of a short file of the system; empty if it cannot be read.
  private static func text(of path: String) -> String {
    contentsOfShortFile(path, below: 4_096).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
