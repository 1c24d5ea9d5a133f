import Operators
import OperatorsInside

/// Measures each operator in a client of the package, compared with the same code inside the module
/// RunnelStreams, where the compiler sees everything.
func measureClients(_ report: inout Report) {
  let count = 10_000
  for (client, inside) in zip(Operators.operatorRuns(), OperatorsInside.operatorRuns()) {
    report.ratio(
      client.name, per: count, limit: "an operator",
      baseline: { inside.send(count) }, measured: { client.send(count) })
  }
}
