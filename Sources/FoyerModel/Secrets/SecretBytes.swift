import FoyerCSodium
import Synchronization

/// Bytes that must not be seen, in memory of their own: kept out of swap and core files as far as the system allows,
/// fenced by pages that nobody may touch, and overwritten when it is let go.
///
/// It cannot be copied, printed, reflected or encoded. Where the system has no such memory left, it is ordinary memory,
/// which is overwritten all the same. One that has to grow leaves nothing behind; one with room from the start is faster.
///
/// `@unchecked Sendable`: it has one owner, who alone can write, and not while somebody reads.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    private static let isReady = sodium_init() >= 0

    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var isGuarded: Bool
    /// How many bytes there are.
    public private(set) var count = 0

    /// Makes an empty one with room for so many bytes.
    public init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
        (memory, isGuarded) = Self.allocate(self.capacity)
    }

    /// Makes one of that many zeros and lets `fill` write into it; what `fill` gives is its count in the end.
    public init<Failure: Error>(
        zeros count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
    ) throws(Failure) {
        self.init(capacity: count)
        memory.update(repeating: 0, count: count)
        self.count = min(count, max(0, try fill(UnsafeMutableBufferPointer(start: memory, count: count))))
    }

    deinit {
        Self.free(memory, capacity, isGuarded)
    }

    /// Whether the system keeps such memory out of swap; a limit (RLIMIT_MEMLOCK) may forbid it.
    package static var isKeptOutOfSwap: Bool {
        let bytes = SecretBytes()
        return bytes.isGuarded && sodium_mlock(bytes.memory, bytes.capacity) == 0
    }

    /// Adds one byte.
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Adds bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        let isCopied: Void? = bytes.withContiguousStorageIfAvailable { source in
            guard let start = source.baseAddress else { return }
            reserve(source.count)
            (memory + count).update(from: start, count: source.count)
            count += source.count
        }
        if isCopied == nil { for byte in bytes { append(byte) } }
    }

    /// Takes bytes away at the front, and overwrites where they were.
    public mutating func removeFirst(_ removed: Int) {
        let removed = min(count, max(0, removed))
        count -= removed
        memory.update(from: memory + removed, count: count)
        sodium_memzero(memory + count, removed)
    }

    /// Takes the last byte away.
    public mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        memory[count] = 0
    }

    /// Lends the bytes to `body`, which must not keep them.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: memory, count: count))
    }

    /// From now on touching the bytes ends the program, until `allowReading`.
    func forbidAccess() {
        if isGuarded { sodium_mprotect_noaccess(memory) }
    }

    /// From now on the bytes can be read.
    func allowReading() {
        if isGuarded { sodium_mprotect_readonly(memory) }
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = max(2 * capacity, count + more)
        let (target, isGuarded) = Self.allocate(larger)
        target.update(from: memory, count: count)
        Self.free(memory, capacity, self.isGuarded)
        (memory, capacity, self.isGuarded) = (target, larger, isGuarded)
    }

    // MARK: Memory

    /// So many blocks of each size are kept for the next ones: getting and fencing one takes the kernel longer than
    /// most of what is done with it, and stops the other threads for a moment.
    private static let keptBlocks = 16
    private static let largestKept = 1024
    /// The addresses of guarded blocks that nobody has, overwritten, by size.
    private static let idle = Mutex<[Int: [UInt]]>([:])

    /// The size of the block for so many bytes: a multiple of 64, so that few sizes are in use and the fence is near.
    private static func blockSize(_ size: Int) -> Int { (size + 63) & ~63 }

    private static func allocate(_ size: Int) -> (UnsafeMutablePointer<UInt8>, isGuarded: Bool) {
        let size = blockSize(size)
        if let address = idle.withLock({ $0[size]?.popLast() }),
            let memory = UnsafeMutablePointer<UInt8>(bitPattern: address)
        {
            return (memory, true)
        }
        if isReady, let memory = sodium_malloc(size) {
            return (memory.bindMemory(to: UInt8.self, capacity: size), true)
        }
        return (.allocate(capacity: size), false)
    }

    private static func free(_ memory: UnsafeMutablePointer<UInt8>, _ size: Int, _ isGuarded: Bool) {
        let size = blockSize(size)
        guard isGuarded else {
            sodium_memzero(memory, size)
            return memory.deallocate()
        }
        sodium_mprotect_readwrite(memory)
        sodium_memzero(memory, size)
        let isKept = idle.withLock { idle in
            guard size <= largestKept, idle[size, default: []].count < keptBlocks else { return false }
            idle[size, default: []].append(UInt(bitPattern: memory))
            return true
        }
        if !isKept { sodium_free(memory) }
    }
}
