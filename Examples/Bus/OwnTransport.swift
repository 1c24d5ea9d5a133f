import RunnelTesting

let scheduler = TestScheduler()
let fixture = TestBrokerFixture(TestBroker(on: scheduler), on: scheduler)
let violations = await transportViolations(fixture)
for violation in violations { print(violation) }
print("\(violations.count) violations")

// Output:
// 0 violations
