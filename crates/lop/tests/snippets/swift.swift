import Foundation

// The largest number of items.
let limit = 0x10
var names: [String] = ["first", "second \"one\"\n"]

/// Something with a label.
protocol Labelled {
    associatedtype Value
    var label: String { get }
    mutating func change(to value: Value) throws
}

enum StockError: Error {
    case full(limit: Int)
    case missing
}

indirect enum Tree<T: Comparable> {
    case leaf
    case node(Tree<T>, T, Tree<T>)
}

struct Item: Labelled, Equatable {
    let name: String
    private(set) var price = 1.5e2
    var tags: Set<String>?

    var label: String {
        get { return "<\(name)>" }
        set { tags = [newValue] }
    }

    mutating func change(to value: Double) throws {
        guard value >= 0, value < 1_000 else { throw StockError.missing }
        price = value
    }
}

@available(macOS 10.15, *)
open class Shelf<T> where T: Equatable {
    static let shared = Shelf<Int>(3)
    private var items = [T]()
    weak var parent: Shelf<T>?
    lazy var count: Int = { items.count }()

    init(_ items: T..., open: Bool = true) {
        self.items = items
    }

    convenience init?(text: String) {
        if text.isEmpty { return nil }
        self.init()
    }

    deinit { print("gone") }

    subscript(index: Int) -> T { items[index] }

    func add(_ item: T, times: Int = 1) throws -> Int {
        for i in 0..<times where i % 2 == 0 {
            if items.count >= limit && !items.contains(item) {
                throw StockError.full(limit: limit)
            } else if i == 9 { continue } else { items.append(item) }
        }
        return items.count
    }
}

extension Tree {
    func size() -> Int {
        switch self {
        case .leaf: return 0
        case let .node(left, value, right) where value == value:
            return left.size() + 1 + right.size()
        default: break
        }
        return -1
    }
}

do {
    let shelf = Shelf(1, 2)
    let total = try [shelf[0], 5].map { $0 * 2 }.reduce(0, { (a: Int, b: Int) -> Int in a + b })
    print(total > 3 ? "many" : names.first ?? "none", try? shelf.add(3, times: 2), (x: 1, 2) as Any)
} catch StockError.full(let limit) { print(limit) } catch { print(error) }
while names.count > 1 { names.removeLast() }
