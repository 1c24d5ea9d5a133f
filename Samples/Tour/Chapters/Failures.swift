import Runnel

extension Chapter {
  /// Handling failures.
  static var failures: [Chapter] {
    [
      Chapter(title: "Retrying after a failure") { print in
        var attempts = 0
        let fetchImage = EventStream<String, FetchError> { observer in
          attempts += 1
          if attempts < 3 { observer.failed(.offline) } else { observer.next("image") }
          observer.completed()
          return .none
        }
        fetchImage.retry(3).observe { print($0) }
        print("Attempts: \(attempts)")
      },

      Chapter(title: "Continuing with another stream") { print in
        authenticate()
          .flatMapFailure { _ in EventStream<User, Never>.just(.anonymous) }
          .observeNext { user in print("Authenticated as \(user.fullName).") }
      },

      Chapter(title: "From a stream that can fail to one that cannot") { print in
        let fetchImage = EventStream<String, FetchError>.failed(.offline)
        fetchImage.ignoreFailure { failure, _ in print("Ignored: \(failure)") }.observe {
          print($0)
        }
        fetchImage.recover(with: "placeholder").observe { print($0) }
        fetchImage.flatMapFailure { error in EventStream<String, Never>.just("instead of \(error)")
        }
        .observe { print($0) }
      },

      Chapter(title: "A login that does not keep its screen alive") { print in
        final class Screen {
          func login() -> EventStream<User, FetchError> { .just(User(fullName: "Jim Kirk")) }
          func posts(of user: User) -> EventStream<[String], FetchError> {
            .just(["First post of \(user.fullName)"])
          }
        }
        let screen = Screen()
        screen.login()
          .flatMap(weak: screen) { screen, user in screen.posts(of: user) }
          .observe { print($0) }
      },
    ]
  }
}

/// A user of the tour's imaginary service.
struct User {
  let fullName: String
  static let anonymous = User(fullName: "Anonymous")
}

/// A failure of the tour's imaginary service.
enum FetchError: Error {
  case offline
}

private func authenticate() -> EventStream<User, FetchError> { .failed(.offline) }
