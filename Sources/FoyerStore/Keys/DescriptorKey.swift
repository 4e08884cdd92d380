import FoyerCSodium
import FoyerModel
import FoyerPlatform
import Synchronization

/// A key that whoever started the program hands over through an open descriptor; it is read once.
final class DescriptorKey: KeyProvider {
    /// How long the other end may take.
    static let timeout = Duration.seconds(3)

    private let number: Int32
    /// A second descriptor for the same: what has the number now may be closed, and another file have it, when the key
    /// is needed. Below 0 where there was none.
    private let descriptor: Int32
    private let outcome = Mutex<Result<DeviceKey, StoreError>?>(nil)

    init(_ number: Int32) {
        self.number = number
        descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var title: String { "key from descriptor \(number)" }
    var file: String? { nil }

    func state(of _: String?) throws(StoreError) -> KeyState {
        guard let outcome = outcome.withLock({ $0 }) else { return .locked(name: nil) }
        return .available(try outcome.get())
    }

    func unlock() async throws(StoreError) {
        guard outcome.withLock({ $0 }) == nil else { return }
        let result = await SlowWork.run { () -> Result<DeviceKey, StoreError> in
            do throws(StoreError) { return .success(try self.read()) } catch { return .failure(error) }
        }
        outcome.withLock { $0 = result }
    }

    func create() throws(StoreError) {
        throw StoreError(.keyMissing, "There is no \(title).")
    }

    func makeNext() throws(StoreError) -> DeviceKey {
        throw StoreError(
            .cannotCreate,
            "Foyer cannot change a key that it is given through a descriptor.", recovery: .replaceKeyAtSource)
    }

    private func read() throws(StoreError) -> DeviceKey {
        guard descriptor >= 0 else {
            throw StoreError(.keyMissing, "The \(title) is missing: that descriptor is not open.")
        }
        // One byte more than a key has tells one that is too long.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: DeviceKey.size + 1, alignment: 1)
        defer {
            sodium_memzero(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
        var count = 0
        let deadline = ContinuousClock.now + Self.timeout
        while count < buffer.count {
            // A whole key may be there while the other end stays open: then nothing more is waited for.
            let isWhole = count == DeviceKey.size
            guard isReadable(until: isWhole ? .now : deadline) else { break }
            let got = readSome(descriptor, into: buffer, from: count)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            if got < 0 {
                throw StoreError(
                    .keyMissing, "The \(title) cannot be read: \(message(errno)).")
            }
            if got == 0 { break }
            count += got
        }
        guard count == DeviceKey.size else {
            let amount = count > DeviceKey.size ? "more than \(DeviceKey.size)" : "\(count)"
            throw StoreError(
                .unsafeKeyFile, "Descriptor \(number) gave \(amount) bytes; a key has \(DeviceKey.size).")
        }
        return try DeviceKey(copying: UnsafeRawBufferPointer(buffer))
    }

    /// Whether there is something to read, or an end or an error, before that moment.
    private func isReadable(until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = max(.zero, deadline - .now)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000)
            let ready = poll(&request, 1, milliseconds)
            if ready != 0, !(ready < 0 && errno == EINTR) { return true }
            if ready == 0, left == .zero || deadline <= .now { return false }
        }
    }
}

private func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    read(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
}
