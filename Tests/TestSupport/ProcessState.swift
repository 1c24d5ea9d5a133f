import RunnelLoop

/// Returns true if a process exists and has not ended. A process that is not reaped yet has ended.
package func isRunning(_ process: Int32) -> Bool {
  ProcessNumbers.runs(ProcessNumbers.fields(of: "\(process)"))
}
