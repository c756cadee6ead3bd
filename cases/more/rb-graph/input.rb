# Dependencies between packages, and the order in which to install them.
class Package
  attr_reader :name, :version, :requirements

  def initialize(name, version, *requirements)
    @name = name
    @version = version
    @requirements = requirements
  end

  def to_s
    "#{name}-#{version}"
  end
end

module Catalog
  PACKAGES = {}

  def self.define(&block)
    instance_eval(&block)
  end

  def self.package(name, version, needs: [])
    PACKAGES[name] = Package.new(name, version, *needs)
  end

  def self.[](name)
    PACKAGES.fetch(name) { Package.new(name, '0.0') }
  end
end

class Resolver
  include Enumerable

  def initialize(*wanted)
    @depth = {}
    wanted.each { |name| @depth[name] = 0 }
  end

  def resolve
    @depth.each do |name, depth|
      Catalog[name].requirements.each do |required|
        @depth[required] = depth + 1 unless @depth.fetch(required, -1) > depth
      end
    end
    self
  end

  def each
    return to_enum(:each) unless block_given?

    @depth.sort_by { |name, depth| [-depth, name] }.each { |name, _| yield Catalog[name] }
  end
end

Catalog.define do
  package 'zlib', '1.2.13'
  package 'openssl', '3.0.8', needs: %w[zlib]
  package 'curl', '7.88.1', needs: %w[openssl zlib]
  package 'git', '2.39.2', needs: %w[curl zlib]
  package 'editor', '9.0'
end

puts Resolver.new('zlib', 'openssl').resolve.map(&:to_s).join(' ')
puts Resolver.new('editor').resolve.first
puts Resolver.new('git', 'editor').resolve.each_with_index.map { |p, i| "#{i}: #{p}" }
