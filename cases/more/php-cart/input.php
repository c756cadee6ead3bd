<?php
declare(strict_types=1);

namespace Shop;

enum Currency: string
{
    case EUR = 'EUR';
    case CHF = 'CHF';

    public function symbol(): string
    {
        return match ($this) {
            self::EUR => "\u{20AC}",
            self::CHF => 'Fr.',
        };
    }
}

final class Money implements \Stringable
{
    public function __construct(
        public readonly int $cents,
        public readonly Currency $currency = Currency::EUR,
    ) {
    }

    public function plus(Money $other): static
    {
        if ($other->currency !== $this->currency) {
            throw new \DomainException('currencies differ');
        }
        return new static($this->cents + $other->cents, $this->currency);
    }

    public function times(int|float $factor): static
    {
        return new static((int) round($this->cents * $factor), $this->currency);
    }

    public function __toString(): string
    {
        return sprintf('%s %.2f', $this->currency->symbol(), $this->cents / 100);
    }
}

interface Discount
{
    public function apply(Money $price, int $quantity): Money;
}

abstract class Rule implements Discount
{
    public function __construct(protected int $minimum)
    {
    }

    public function apply(Money $price, int $quantity): Money
    {
        return $quantity >= $this->minimum ? $this->reduce($price, $quantity) : $price->times($quantity);
    }

    abstract protected function reduce(Money $price, int $quantity): Money;
}

class Percentage extends Rule
{
    public function __construct(private float $percent, int $minimum = 1)
    {
        parent::__construct($minimum);
    }

    protected function reduce(Money $price, int $quantity): Money
    {
        return $price->times($quantity * (100 - $this->percent) / 100);
    }
}

class OneFree extends Rule
{
    protected function reduce(Money $price, int $quantity): Money
    {
        return $price->times($quantity - intdiv($quantity, $this->minimum));
    }
}

class FixedPrice extends Rule
{
    public function __construct(private Money $fixed, int $minimum)
    {
        parent::__construct($minimum);
    }

    protected function reduce(Money $price, int $quantity): Money
    {
        $copy = clone $price;
        $copy->cents = $this->fixed->cents * $quantity;
        return $copy;
    }
}

class Cart implements \IteratorAggregate
{
    private array $lines = [];
    private array $rules = [];

    public function add(string $name, Money $price, int $quantity = 1): self
    {
        $this->lines[$name] ??= ['price' => $price, 'quantity' => 0];
        $this->lines[$name]['quantity'] += $quantity;
        return $this;
    }

    public function rule(string $name, Discount $rule): self
    {
        $this->rules[$name][] = $rule;
        return $this;
    }

    public function getIterator(): \Generator
    {
        foreach ($this->lines as $name => ['price' => $price, 'quantity' => $quantity]) {
            $offers = array_map(fn (Discount $r) => $r->apply($price, $quantity), $this->rules[$name] ?? []);
            usort($offers, fn (Money $a, Money $b) => $a->cents <=> $b->cents);
            yield $name => $offers[0] ?? $price->times($quantity);
        }
    }

    public function total(): Money
    {
        return array_reduce(iterator_to_array($this), fn (Money $sum, Money $m) => $sum->plus($m), new Money(0));
    }
}

$cart = (new Cart())
    ->rule('tea', new Percentage(12.5, 3))
    ->rule('tea', new OneFree(4))
    ->rule('cup', new FixedPrice(new Money(399), 6))
    ->add('tea', new Money(495), 2)
    ->add('cup', new Money(480), 4)
    ->add('pot', new Money(3250));
echo $cart->total(), "\n";
$cart->add('cup', new Money(480), 2)->add('tea', new Money(495), 2);
foreach ($cart as $name => $price) {
    echo str_pad($name, 8), $price, "\n";
}
echo $cart->total(), "\n";
