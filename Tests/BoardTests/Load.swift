import RunnelTesting
import TestSupport

/// Clients that publish as fast as a server answers.
enum Load {
  /// A post that the server has acknowledged.
  struct Acknowledgement: Hashable, Sendable {
    let id: Int
    let text: String
  }

  /// Publishes texts on several connections until a server refuses one or ends, and logs the acknowledgements.
  /// Returns the number of requests without an answer when all connections have ended.
  static func run(
    _ name: String, port: UInt16, into log: EventLog<Acknowledgement>
  ) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for member in 1...4 {
        group.addTask {
          await ManualContext.onThread { _ in
            guard let peer = BoardPeer(port: port) else { return 0 }
            for number in 1... {
              let text = "\(name)-\(member)-\(number)"
              guard let answer = peer.publish(text) else { return 1 }
              guard answer.status == 201, let id = answer.id else { return 0 }
              log.add(Acknowledgement(id: id, text: text))
              if answer.isLast { return 0 }
            }
            return 0
          }
        }
      }
      return await group.reduce(0, +)
    }
  }
}
