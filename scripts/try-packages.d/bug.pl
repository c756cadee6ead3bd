use strict;
use warnings;

# The mean of no numbers.
sub mean {
    my @numbers = @_;
    my $sum = 0;
    $sum += $_ for @numbers;
    return $sum / @numbers;
}

my %groups = (a => [1, 2, 3], b => [4, 5], c => []);
for my $name (sort keys %groups) {
    printf "%s: %.2f\n", $name, mean(@{ $groups{$name} });
}
