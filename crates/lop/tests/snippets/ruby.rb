# frozen_string_literal: true

require "json"
require_relative 'tools'

# Things that have a label.
module Labelled
  LIMIT = 0x20

  def label = "<#{name}>"
end

class StockError < StandardError; end

=begin
A shelf holds items.
=end
class Shelf
  include Labelled
  include Enumerable

  attr_reader :name, :items
  @@made = 0

  class << self
    def made; @@made; end
  end

  def initialize(name, *items, limit: LIMIT, **options, &block)
    @name, @limit = name, limit
    @items = items || []
    @options = { open: true, "size" => 1.5e2, **options }
    @@made += 1
    instance_eval(&block) if block_given?
  end

  def each
    return enum_for(:each) unless block_given?
    @items.each { |item| yield item }
  end

  def <<(item)
    if @items.size >= @limit && !@options[:open]
      raise StockError, "full \"shelf\"\n"
    elsif item.nil?
      warn 'it\'s nothing'
    else
      @items.push(item)
    end
    self
  end

  private

  def check?(value) = value =~ /\A\w+(?:\s|-)*\z/i ? true : false
end

def describe(thing)
  case thing
  when nil, false then "nothing"
  when 1..9, Integer
    "number"
  else
    thing.to_s
  end
end

shelf = Shelf.new("top", :a, :b, limit: 3) { @extra = %w[x y z] }
begin
  shelf << 1 << nil
  total = shelf.map.with_index(1) { |item, i| item.to_s.size * i ** 2 }.sum
rescue StockError, ArgumentError => e
  puts e.message
  retry if (total ||= 0) > 1
else
  puts <<~TEXT
    The total is #{total}.
  TEXT
ensure
  $stdout.flush
end

[[1, 2], [3, 4]].each do |(a, b), *rest|
  next if a == 1 and not rest.empty?
  puts a <=> b, describe(a)
end
count = 10
count -= 3 while count > 0
until count.positive? do count += 1 end
puts ->(x) { x * 2 }.(2), shelf&.label, __FILE__
