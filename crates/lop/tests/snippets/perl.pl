#!/usr/bin/perl -w
package Shop::Shelf;

use strict;
use warnings;
use constant { LIMIT => 0x20, NAME => 'shelf' };
use List::Util qw(sum first);

our $VERSION = '1.02';
our @ISA = ('Exporter');
my %made = (open => 1, "size" => 1.5e2, 3 => undef);

=head1 NAME

Shelf - holds items

=cut

sub new {
    my ($class, %args) = @_;
    my $self = { name => $args{name} || "none", items => [], limit => $args{limit} // LIMIT };
    $made{$class}++;
    return bless $self, $class;
}

# Adds an item.
sub push_item {
    my $self = shift;
    for my $item (@_) {
        next unless defined $item;
        if (@{ $self->{items} } >= $self->{limit}) {
            die "full \"shelf\": $self->{name}\n";
        } elsif ($item eq '') {
            warn 'it\'s nothing';
        } else {
            push @{ $self->{items} }, $item;
        }
    }
    return $self;
}

sub total($$) { my ($first, $second) = @_; $first + $second }

package main;

my $shelf = Shop::Shelf->new(name => 'top', limit => 3);
eval { $shelf->push_item(1)->push_item(2, "b"); 1 } or do { print STDERR $@; };
my @sorted = sort { $a <=> $b } grep { /^\d+$/ } map { $_ * 2 } 1 .. 5;
my ($x, $y) = (10, -3.5);
while ($x > 0) {
    last if $x == 4;
    $x -= 3;
}
until ($y >= 0) { $y++ }
for (my $i = 0; $i < @sorted; $i++) {
    print "$i: $sorted[$i]\n";
}
foreach my $key (sort keys %made) { printf "%s=%s\n", $key, $made{$key} // 'undef'; }
my $text = "The quick fox";
(my $copy = $text) =~ s/quick/slow/g;
$copy =~ tr/a-z/A-Z/;
print "yes\n" if $text =~ m{^the\s+(\w+)}i && $1 ne "x";
my $code = sub { my $n = shift; return $n < 2 ? 1 : $n * __SUB__->($n - 1) };
my ($p, @rest) = split /,/, join(',', map { "$_;" } @sorted);
local $| = 1;
print <<"END", "after";
Total: @{[ sum(@sorted) ]}
END
unless ($x) { print "zero" } else { print 'x' x 3 . "\n" }
open(my $fh, '<', __FILE__) or die "cannot open: $!";
my @lines = <$fh>;
close $fh;
print scalar(@lines), " $#lines ", ref(\@lines), exists $made{open} ? 1 : 0, "\n";
__END__
What follows is not read.
