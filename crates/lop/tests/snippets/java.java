package shop.stock;

import java.util.*;
import java.util.function.Function;
import static java.lang.Math.max;

/** Something with a name. */
interface Named<T extends Comparable<T>> {
    T name();

    default String label() {
        return "<" + name() + ">\n";
    }
}

@interface Note {
    String value() default "none";
    int[] levels() default {1, 2};
}

enum Size {
    SMALL(1), LARGE(10) {
        @Override
        int weight() { return 100; }
    };

    private final int weight;

    Size(int weight) { this.weight = weight; }

    int weight() { return weight; }
}

record Pair<A, B>(A first, B second) {}

@Note(value = "main", levels = {3})
public abstract class Stock<K extends Comparable<K>> implements Named<K>, AutoCloseable {
    private static final int LIMIT = 0x10;
    protected final Map<K, List<Integer>> counts = new HashMap<>();
    private volatile long total = 10_000L, spare;

    static {
        System.out.printf("limit %d%c", LIMIT, '\'');
    }

    public void add(K key, int... amounts) throws IllegalStateException {
        for (int amount : amounts) {
            if (amount < 0 || !(amount <= LIMIT)) {
                throw new IllegalStateException("bad \"amount\": " + amount);
            } else {
                total += amount;
            }
            counts.computeIfAbsent(key, k -> new ArrayList<>()).add(amount);
        }
    }

    public synchronized int highest(Function<? super Integer, Integer> change) {
        int best = Integer.MIN_VALUE, i = 0;
        outer:
        for (List<Integer> list : counts.values()) {
            for (i = 0; i < list.size(); i++) {
                if (list.get(i) == 0) continue outer;
                best = max(best, change.apply(list.get(i)));
            }
        }
        do { best >>>= 1; } while (best > 1 << 20);
        return best > 0 ? best : -1;
    }

    String describe(Object thing) {
        try (Scanner scanner = new Scanner(System.in)) {
            return switch (thing) {
                case null -> "nothing";
                case Integer n when n > 5 -> scanner.nextLine();
                default -> { yield String.valueOf(thing); }
            };
        } catch (NoSuchElementException | IllegalStateException e) {
            return thing instanceof String s ? s : e.getMessage();
        } finally {
            // Nothing is left to do.
            counts.keySet().forEach(System.out::println);
        }
    }
}
