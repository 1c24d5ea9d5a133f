import RunnelStreams

final class Player {
  var volume = 1.0
}

actor Room {
  private let player = Player()
  func handle() -> Remote<Player> { Remote(player) }
}

func silence(_ room: Room) async {
  let player = await room.handle()
  player.send { $0.volume = 0 }
}
