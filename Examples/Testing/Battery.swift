import Runnel
import RunnelTesting

let violations = contractViolations { source, probe in
  source.map { element in
    probe.touch()
    return element.value
  }
}
print("\(violations.count) violations")

// Output:
// 0 violations
