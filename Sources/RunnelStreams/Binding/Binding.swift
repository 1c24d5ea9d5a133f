/// What a stream that cannot fail can be bound to: a property, a subject, a ``Binder``.
public protocol Bindable<Input> {
  /// What it takes.
  associatedtype Input

  /// Takes what the stream sends, until the stream or the target goes.
  ///
  /// *Disposal*: the target is held weakly. When it is released, the binding ends.
  func bind(from source: EventStream<Input, Never>) -> Disposable
}

extension StreamProtocol where Failure == Never {
  /// Sends the elements to a target.
  ///
  ///     searchText.map { "Results for \($0)" }.bind(to: title)
  ///
  /// *Events*: the end of the stream ends the binding, not the target.
  ///
  /// *Disposal*: the target is held weakly; when it is released, the binding ends. Nothing has to be
  /// kept.
  @discardableResult
  public func bind<Target: Bindable>(to target: Target) -> Disposable
  where Target.Input == Element {
    target.bind(from: stream)
  }

  /// Sets a property of an object to each element.
  ///
  ///     progress.bind(to: bar, \.fraction)
  ///
  /// *Disposal*: as ``bind(to:)``; where the object is no ``LifetimeOwner``, its going is noticed
  /// at the next element.
  @discardableResult
  public func bind<Target: AnyObject>(
    to target: Target, _ path: ReferenceWritableKeyPath<Target, Element>
  ) -> Disposable {
    bind(to: Binder(target) { $0[keyPath: path] = $1 })
  }
}

extension Subject: Bindable {
  /// Sends on what the stream sends.
  public func bind(from source: EventStream<Element, Never>) -> Disposable {
    let binding = source.observeNext { [weak self] element in self?.next(element) }
    bindings.add(binding)
    return binding
  }
}

extension Property: Bindable {
  /// Sets the value to what the stream sends.
  public func bind(from source: EventStream<Value, Never>) -> Disposable {
    let binding = source.observeNext { [weak self] value in self?.value = value }
    changes.bindings.add(binding)
    return binding
  }
}

extension Property where Value: Equatable {
  /// Keeps two properties equal: this one takes the other's value first, then each follows the
  /// other.
  ///
  ///     editor.text.bindTwoWay(to: note.text)
  ///
  /// *Events*: a change goes across once and is not echoed. If both change while one is being
  /// delivered, both end with the later value.
  ///
  /// *Disposal*: both are held weakly; the binding ends when either is released.
  @discardableResult
  public func bindTwoWay(to other: Property) -> Disposable {
    let binding = Disposable()
    // What counts is the value now, not the one in the event: that may have been overtaken.
    let follow = { [weak self, weak other] in
      guard let self, let other, self.value != other.value else { return }
      self.value = other.value
    }
    let lead = { [weak self, weak other] in
      guard let self, let other, self.value != other.value else { return }
      other.value = self.value
    }
    follow()
    binding.add(other.updates.observeNext { _ in follow() })
    binding.add(updates.observeNext { _ in lead() })
    changes.bindings.add(binding)
    other.changes.bindings.add(binding)
    return binding
  }
}
