import Runnel
import RunnelDBus

@BusInterface("org.example.Lamp")
@MainActor protocol Lamp {
  var isOn: Property<Bool> { get }
}

final class RoomLamp: Lamp {
  let isOn = Property(false)
}

let bus = BusConnection(.session, on: .main)
let lamps = CollectionProperty<[ObjectPath: any Lamp]>()
bus.export(lamps, as: LampProxy.self, at: "/org/example/Lamps")
let name = bus.name("org.example.Lamps").share()
name.observe(next: { state in print(state) }, failed: { error in print(error) })
do {
  try EventLoop.main.run(until: name)
} catch {
  print(error)
}

// The program that uses the lamps, which is another one otherwise.
let user = BusConnection(.session, on: .main)
let found = user.objects(
  of: "org.example.Lamp", at: "/org/example/Lamps", from: "org.example.Lamps")
found.values.observe { event in
  for (path, values) in event.collection { print(path, values["IsOn"]?[Bool.self] ?? false) }
}
let proxies = found.proxies(as: LampProxy.self)

lamps["/org/example/Lamps/kitchen"] = RoomLamp()
EventLoop.main.run(until: found.values.stream.filter { !$0.collection.isEmpty })
proxies["/org/example/Lamps/kitchen"]?.isOn.set(true).observe(failed: { error in print(error) })
let isOn = found.values.stream.filter { event in
  event.collection["/org/example/Lamps/kitchen"]?["IsOn"]?[Bool.self] == true
}
EventLoop.main.run(until: isOn)

// Output:
// owned
// /org/example/Lamps/kitchen false
// /org/example/Lamps/kitchen true
