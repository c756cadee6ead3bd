require 'date'

Score = Struct.new(:points, :time) do
  include Comparable

  def <=>(other)
    [-points, time] <=> [-other.points, other.time]
  end

  def self.parse(text)
    points, time = text.to_s.split('@')
    new(points.to_i, time && time.to_f)
  end
end

class Athlete
  attr_reader :first, :last, :club, :born
  attr_accessor :scores

  def initialize(last:, first:, club: nil, born: nil)
    @last, @first, @club = last, first, club
    @born = born && Date.parse(born)
    @scores = []
  end

  def best
    scores.min
  end

  def age(on = Date.new(2023, 7, 1))
    return unless born
    on.year - born.year - (on.yday < born.yday ? 1 : 0)
  end

  def category
    case age
    when nil then 'open'
    when 0...18 then 'junior'
    when 18..40 then 'senior'
    else 'master'
    end
  end

  def inspect
    "#<#{last}, #{first}>"
  end
end

class Roster
  def self.load(lines)
    new.tap do |roster|
      lines.each do |line|
        next if line.strip.empty? || line.start_with?('#')
        fields = line.chomp.split(';').map(&:strip)
        roster << fields
      end
    end
  end

  def initialize
    @athletes = []
  end

  def <<(fields)
    last, first, club, born, *scores = fields
    athlete = Athlete.new(last: last, first: first, club: club, born: born.empty? ? nil : born)
    athlete.scores = scores.map { |s| Score.parse(s) }
    @athletes << athlete
    self
  end

  def by_category
    @athletes.group_by(&:category).sort.to_h
  end

  def ranking
    by_category.transform_values do |list|
      list.select(&:best).sort_by { |a| [a.best, a.last] }
    end
  end

  def clubs
    @athletes.each_with_object(Hash.new(0)) { |a, h| h[a.club] += a.scores.sum(&:points) }
  end
end

roster = Roster.load(DATA)
roster.clubs.each { |club, points| puts format('%-12s %4d', club, points) }
roster.ranking.each do |category, athletes|
  puts category.upcase
  athletes.each.with_index(1) { |a, i| puts "  #{i}. #{a.first} #{a.last} (#{a.best.points})" }
end

__END__
# last; first; club; born; scores...
Novak; Petra; SK Brno; 1991-03-12; 31@58.2; 35@61.0
Aalto; Juha; Turku AK; 1979-11-30; 28@63.9
Ricci; Marta; Lazio; 2007-05-02; 30@60.1; 30@59.8
Dubois; Luc; Lazio; 1995-01-09; 35@
Svensson; Eva; Turku AK; ; 12@80.5
Horvat; Ivan; SK Brno; 2006-10-21; 26@61.4
