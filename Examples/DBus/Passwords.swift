import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)
let secrets = DesktopSecrets(on: bus)
let account = ["server": "example.org", "user": "emma"]
secrets.store(Array("secret".utf8), as: "Mail of Emma", for: account)
  .andThen(secrets.find(account))
  .observe(
    succeeded: { found in
      print(found.map(\.text))
      EventLoop.main.stop()
    },
    failed: { _ in
      print("There is no keyring.")
      EventLoop.main.stop()
    })
EventLoop.main.run()

// Output:
// There is no keyring.
