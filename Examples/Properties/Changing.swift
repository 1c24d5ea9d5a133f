import Runnel

let guests = Property(["Jim"])
let name = Property("Jim")
let age = Property(33)

guests.updates.observeNext { print($0) }
guests.mutate {
  $0.append("John")
  $0.sort(by: >)
}
let person = ReadOnlyProperty.combine(name.readOnly, age.readOnly)
person.observeNext { name, age in print(name, age) }
age.value = 34

// Output:
// ["John", "Jim"]
// Jim 33
// Jim 34
