require "set"
module Shapes
  UNITS = %w[mm cm m].freeze
  class Shape
    attr_reader :name, :tags
    def initialize(name, tags: [])
      @name = name
      @tags = tags.map(&:to_sym)
    end
    def area = raise(NotImplementedError)
    def <=>(other)
      area <=> other.area
    end
    include Comparable
  end
  class Square < Shape
    def initialize(side, **options)
      super("square", **options)
      @side = side
    end
    def area = @side * @side
  end
  class Circle < Shape
    def initialize(radius, unit = UNITS.first)
      super("circle", tags: ["round"])
      @radius, @unit = radius, unit
    end
    def area = (3.14 * @radius**2).round(2)
    def rename(suffix)
      unit = @unit
      unit << suffix if suffix.length > 1
      "#{name}-#{unit}"
    end
  end
end
shapes = [Shapes::Square.new(2, tags: ["flat"]), Shapes::Circle.new(1), Shapes::Circle.new(3, "km".freeze)]
seen = Set.new
shapes.sort.each_with_index do |shape, i|
  seen << shape.name
  puts "#{i}: #{shape.name} #{shape.area}"
  case shape
  when Shapes::Circle
    begin
      puts shape.rename("x" * (i + 1))
    rescue ArgumentError => e
      warn e.message
    ensure
      seen.delete("circle")
    end
  else
    puts shape.tags.inspect
  end
end
puts seen.size
