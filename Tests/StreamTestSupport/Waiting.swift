/// Yields to other tasks of the main actor until a condition is true.
@MainActor
package func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
