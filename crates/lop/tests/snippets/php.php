<!DOCTYPE html>
<h1>Stock</h1>
<?php
declare(strict_types=1);

namespace Shop\Stock;

use InvalidArgumentException;
use Shop\Tools\{Logger, Timer as Clock};

const LIMIT = 0x20;

interface Named
{
    public function name(): string;
}

trait Counted
{
    protected static int $made = 0;

    public static function made(): int
    {
        return self::$made;
    }
}

enum Size: string
{
    case Small = 's';
    case Large = 'l';
}

/** One thing on a shelf. */
#[Note('item', level: 2)]
abstract class Item implements Named
{
    use Counted;

    private ?array $tags = ['new', 'color' => 'red', 3 => 1.5e3];

    public function __construct(private readonly string $name, protected int|float $price = 1)
    {
        static::$made++;
    }

    final public function name(): string
    {
        return $this->name ?? "none";
    }

    public function addTags(string ...$tags): static
    {
        foreach ($tags as $key => $tag) {
            if ($tag === '' || !is_string($tag)) {
                throw new InvalidArgumentException("bad tag \"{$key}\" in $this->name\n");
            } elseif (count($this->tags) >= LIMIT) {
                break;
            } else {
                $this->tags[] = trim($tag);
            }
        }
        return $this;
    }
}

function total(array $items, callable $filter = null): float
{
    $sum = 0.0;
    for ($i = 0; $i < count($items); $i++) {
        $sum += $filter ? $filter($items[$i]) : 1;
    }
    while ($sum > 100) $sum /= 2;
    return match (true) { $sum > 50 => 50.0, default => $sum };
}

// Print what is there.
try {
    [$first, , $third] = [1, 2, 3];
    $double = fn(int $x): int => $x ** 2;
    $closure = function ($x) use (&$first) { return $x <=> $first; };
    echo total([1, 2], $closure), PHP_EOL, $double($third), 'it\'s';
} catch (InvalidArgumentException | \TypeError $e) {
    switch ($e->getCode()) { case 1: print $e?->getMessage(); break; default: exit(1); }
} finally {
    unset($first);
}
?>
<p>End of <?= strtoupper('list') ?></p>
